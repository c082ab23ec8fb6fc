import { KubernetesError } from '../port.ts'

export const isStatus = (error: unknown, status: number): boolean =>
  error instanceof KubernetesError && error.status === status

/**
 * Answers to a watch that resuming cannot cure: 410 the version is too old, 404 the resource has gone, 400 the version
 * is not one of this server, 504 it is newer than the server's own (etcd was restored from a backup).
 */
export const needsRelist = (error: unknown): boolean =>
  error instanceof UnhandledError ||
  (error instanceof KubernetesError && [400, 404, 410, 504].includes(error.status))

/** Answers of a server that knows no streamed lists: a request that it finds wrong. */
export const refusesStream = (error: unknown): boolean =>
  error instanceof KubernetesError && [400, 405, 406, 422].includes(error.status)

/** The handler threw at objects: they are to be given to it again. */
export class UnhandledError extends Error {
  override readonly name = 'UnhandledError'
}
