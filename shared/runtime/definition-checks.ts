/** What checks what authors define, for rooms that have definitions of their own. No start of a function needs it. */

export { callPlaceOf } from './definition/call-place.ts'
export { inOwnWords, permission as permissionSchema } from './definition/definition-problems.ts'
