declare function mangled$1(): void;
export { mangled$1 as sharpen };
export { missing } from './not-there';
