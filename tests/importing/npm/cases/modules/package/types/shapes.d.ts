/** A square. */
export type Square = { side: number /* in metres */ };
export { Options } from './options';
