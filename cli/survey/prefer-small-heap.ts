import { setFlagsFromString } from 'node:v8'

/** Collects garbage early. By default, V8 lets a heap grow on a machine with much memory: 40 % more for a survey. */
export const preferSmallHeap = (): void => setFlagsFromString('--optimize-for-size')
