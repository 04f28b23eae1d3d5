export const box = 1
