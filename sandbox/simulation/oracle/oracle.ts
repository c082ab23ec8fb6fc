/** Compares worlds: clouds and the objects of API servers, as rows. */

export { generatedNames, type IsKnown } from './canonical-lines.ts'
export { type ComparisonOptions, changedRows, compareWorlds, expectWorld, rowText } from './compare-worlds.ts'
export { createObjectRows, type ObjectRows } from './object-rows.ts'
export { createRowReader, type RowReader } from './read-row.ts'
export { unfinishedObjects } from './unfinished-objects.ts'
export { inEachRow, type WorldException, worldExceptions } from './world-exceptions.ts'
export type { WorldRow } from './world-row.ts'
