import { Options } from './options';
/**
 * Open a kit with {@link Options | its options}.
 *
 * @param path - where it lies
 * @returns the kit
 */
export declare function open(path: string): unknown;
/**
 * Open a kit with {@link Options | its options}.
 *
 * @param path - where it lies
 * @returns the kit
 */
export declare function open(path: string, options: Options): unknown;
/** Nobody exports this one from the package. */
export declare function close(): void;
