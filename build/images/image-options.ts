import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { baseProblem } from './layout/read-base.ts'
import { machinePlatform } from './make-images.ts'

/** The flags of `trellis image`. */
export interface ImageFlags {
  readonly registry?: string
  readonly push?: boolean
  readonly tag?: string
  readonly base?: string
  readonly platform?: string
  readonly only?: readonly string[]
}

export interface ImageOptions {
  readonly registry: string | undefined
  readonly push: boolean
  readonly tag: string
  readonly base: string
  readonly platform: string
  readonly only: readonly string[] | undefined
}

/** Returns the options with their defaults. Throws a `UsageError` for a value that a registry would refuse later. */
export const imageOptions = (
  { registry, push = false, tag, base, platform = defaultPlatform(), only }: ImageFlags,
  defaults: { readonly base: string; readonly version: string },
): ImageOptions => {
  const options = {
    registry,
    push,
    tag: tag ?? defaults.version,
    base: base ?? defaults.base,
    platform,
    only,
  }
  const problem =
    baseProblem(options.base) ??
    tagProblem(options.tag) ??
    (registry === undefined ? (push ? '--push needs --registry' : undefined) : registryProblem(registry)) ??
    (/^linux\/[a-z0-9]+$/.test(platform)
      ? undefined
      : `--platform: expected a platform such as linux/amd64, found ${platform}`)
  if (problem !== undefined) throw new UsageError(problem)
  return options
}

/** Images are for Linux, whatever this machine runs. */
const defaultPlatform = (): string => machinePlatform().replace(/^[^/]*/, 'linux')

/**
 * An image name without a host would be looked up in a public registry. The path has the format of registries
 * (https://github.com/opencontainers/distribution-spec/blob/main/spec.md#pulling-manifests).
 */
export const registryProblem = (registry: string): string | undefined => {
  const [host = '', ...path] = registry.split('/')
  if (/^[a-z]+:\/\//.test(registry))
    return `--registry: expected a host and a path without a scheme, found ${registry}`
  const isHost =
    /^(?:localhost|\[[0-9a-f:]+\]|[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+|[A-Za-z0-9-]+(?=:))(?::\d+)?$/.test(host)
  return isHost &&
    path.length > 0 &&
    path.every(part => /^[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*$/.test(part))
    ? undefined
    : `--registry: expected a host and a path in lower case, such as ghcr.io/acme/trellis, found ${registry}`
}

/**
 * The format of registries, https://github.com/opencontainers/distribution-spec/blob/main/spec.md#pulling-manifests.
 */
const tagProblem = (tag: string): string | undefined =>
  /^\w[\w.-]{0,127}$/.test(tag)
    ? undefined
    : `--tag: expected letters, digits, dots, dashes and underscores, found ${JSON.stringify(tag)}`
