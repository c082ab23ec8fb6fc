import { dockerCredentials } from '../registry/credentials.ts'
import { type ImageRegistry, openRegistry } from '../registry/open-registry.ts'
import { parseReference } from '../registry/reference.ts'

export interface PushAccess {
  /** True if the registry has no TLS. Default: false. */
  readonly plainHttp?: boolean
  readonly environment?: NodeJS.ProcessEnv
}

export interface Pushed {
  readonly registry: ImageRegistry
  readonly host: string
  readonly repository: string
  readonly version: string
}

/**
 * Opens the repository of an image or a chart that is to be pushed, with the credentials of `docker login`. Throws an
 * Error if the reference has no registry.
 *
 * @param about `registry.example.com/trellis/bridge:1.2.3`
 */
export const openPushed = async (
  about: string,
  { plainHttp = false, environment = process.env }: PushAccess,
): Promise<Pushed> => {
  const reference = parseReference(about)
  if (reference?.kind !== 'registry') throw new Error(`${about} names no registry`)
  const { host, repository, version } = reference
  const credentials = await dockerCredentials(host, environment)
  const registry = openRegistry({ host, repository, action: 'push', plainHttp, credentials, about })
  return { registry, host, repository, version }
}
