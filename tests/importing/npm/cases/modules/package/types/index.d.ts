/**
 * Everything that the kit offers, see {@link open}.
 *
 * @module
 */
import type { Options as Settings } from './options.js';
import * as shapes from './shapes';
import { EventEmitter } from 'events';

export { open } from './open';
export * from './options.js';
export * from 'other-package';
export { shapes };
export * as tools from './tools';
/** The version of the kit. */
export declare const version: string, revision: number;
declare class Kit extends EventEmitter {}
export default Kit;
export { Kit as "module.exports" };
