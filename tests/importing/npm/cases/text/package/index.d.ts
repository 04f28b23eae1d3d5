/**
 * # Heading
 *
 * Text with `{@link code}` and {@link plain}, {@link https://example.org/ the site} and
 * [words]{@link plain}.
 *
 * ```ts
 * // @param is no tag here
 * # nor is this a heading
 * plain({ a: 1 });
 * ```
 *
 * - a list
 *   with two lines
 *
 * @typeParam T - of the value
 * @param {string} [name="x"] - The name:
 *   on two lines
 * @param options the options
 * @param options.deep whether it is deep
 * @returns {Promise<T>} a value
 * @throws {RangeError} when it is out of range
 * @throws when it is not there
 * @see plain
 * @since 1.2.0
 * @example
 * const a = plain();
 *
 * a.b();
 * @example <caption>With a caption</caption>
 * plain("b");
 * @example
 * Prose before a fence:
 *
 * ```js
 * plain("`c`");
 * ```
 */
export declare function documented<T>(name?: string, options?: { deep: boolean }): Promise<T>;

/** Plain.
 * @deprecated use {@link documented}
 */
export declare function plain(): void;

/** @internal */
export declare function internal(): void;

// no documentation
/* none either */
export type Bare =
    // one
    | 1
    /* two */
    | 2;

export default function (x: string): void;

/**
 * @name summed
 * @summary Sum it up.
 *
 * @description
 * Sum it up. Then more.
 *
 * @remarks Apart.
 */
export declare function summed(): void;
/** Of a type in another file. */
export declare const imported: import("./types.js").Fn<
  Date, // first
  (x: Array<string>) => void
>;
export declare function returned(): import("./types.js").Fn<{ a: 1 }>;
export type After = 1;
/** Not of it. */

/** What it is. */
/** @deprecated in two comments */
export type Twice = 1;
