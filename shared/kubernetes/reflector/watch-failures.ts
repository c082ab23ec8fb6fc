import { KubernetesError } from '../port.ts'

export const isStatus = (error: unknown, status: number): boolean =>
  error instanceof KubernetesError && error.status === status

/**
 * Errors of a watch that require a new list: 410 the version is too old, 404 the resource is gone, 400 the version is
 * from another server, 504 it is newer than the server's (etcd was restored from a backup).
 */
export const needsRelist = (error: unknown): boolean =>
  error instanceof UnhandledError ||
  (error instanceof KubernetesError && [400, 404, 410, 504].includes(error.status))

/** Responses of a server without streamed lists, which takes the request as invalid. */
export const refusesStream = (error: unknown): boolean =>
  error instanceof KubernetesError && [400, 405, 406, 422].includes(error.status)

/** The handler threw for objects, which must be passed again. */
export class UnhandledError extends Error {
  override readonly name = 'UnhandledError'
}
