export { open as start } from './open';
/** More of it. */
export function more(): void;
