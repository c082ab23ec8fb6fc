/** A project of OpenStack for every kind: credentials, calls, errors. */

export {
  type AccessRequest,
  type Call,
  createAccess,
  type OpenAccess,
  type OpenStackAccess,
} from './client/access.ts'
export type { Service } from './client/catalog.ts'
export type { OpenStackConnection } from './client/connection.ts'
export { connectionOf } from './client/connection-of.ts'
export { type ListCall, listAll } from './client/list-all.ts'
export { projectKey, recordedProject, requireProject } from './client/require-project.ts'
export { readCredentials } from './credentials/read-credentials.ts'
export { isNotFound, isRefusal, OpenStackError } from './errors/openstack-error.ts'
export { errorKindOf, openstackClassifiers, withCodes, withErrorCodes } from './errors/step-error.ts'
export { waitSettings } from './wait-settings.ts'
