/** Checks of author definitions, for packages with their own definitions. No start of a function loads this file. */

export { callPlaceOf } from './definition/call-place.ts'
export { inOwnWords, permission as permissionSchema } from './definition/definition-problems.ts'
