export * from './index';
export interface Options {
    /** How long to wait, in ms.
     * @default 100 */
    wait?: number;
    plain: boolean;
}
export default Options;
