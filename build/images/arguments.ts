import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { messageOf } from '../../shared/text/message-of.ts'
import { baseProblem } from './layout/read-base.ts'
import { machinePlatform } from './make-images.ts'

/** An invalid argument. The message names it and the expected format. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError'
}

export interface ImageArguments {
  readonly registry: string | undefined
  readonly push: boolean
  readonly tag: string
  readonly base: string
  readonly platform: string
  readonly only: readonly string[] | undefined
  readonly out: string
  readonly source: string | undefined
  readonly plainHttp: boolean
}

export const help = `node build/images/main.ts [options]

Bundles each program, builds an image of each in an OCI layout, and prints their names with digests.

  --registry HOST/PATH   registry of the images: ghcr.io/acme/trellis
  --push                 push the images there, with the credentials of docker login or regctl registry login
  --tag TAG              their tag there (default: the version of package.json)
  --only NAME,…          build only these programs
  --base IMAGE@DIGEST    base image (default: build/images/base.json). ocidir://FOLDER@sha256:… for a layout
  --platform OS/ARCH     linux/amd64 or linux/arm64 (default: this machine's). Other platforms get no startup snapshot
  --source URL           URL of the sources, for the labels of the images
  --out FOLDER           output folder (default: dist): bundles/, images/ (the layout), images.json (names by program, for the chart)
  --plain-http           the registry has no TLS

REGCTL selects a regctl program. Without it, the one of build/images/regctl/go.mod is built once, with Go.
`

/** Throws an `ArgumentError` if an argument is invalid. */
export const readArguments = (
  args: readonly string[],
  defaults: { readonly base: string; readonly version: string },
): ImageArguments | 'help' => {
  const values = parsed(args)
  if (values.help) return 'help'
  const { registry, push = false, base = defaults.base, platform = defaultPlatform() } = values
  const problem =
    baseProblem(base) ??
    tagProblem(values.tag ?? defaults.version) ??
    (registry === undefined ? (push ? '--push needs --registry' : undefined) : registryProblem(registry)) ??
    (/^linux\/[a-z0-9]+$/.test(platform)
      ? undefined
      : `--platform: expected a platform such as linux/amd64, found ${platform}`)
  if (problem !== undefined) throw new ArgumentError(problem)
  return {
    registry,
    push,
    base,
    platform,
    tag: values.tag ?? defaults.version,
    only: values.only?.split(','),
    out: resolve(values.out ?? 'dist'),
    source: values.source,
    plainHttp: values['plain-http'] ?? false,
  }
}

const parsed = (args: readonly string[]) => {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  try {
    return parseArgs({
      args: [...args],
      options: {
        ...{ registry: text, tag: text, only: text, base: text, platform: text, source: text, out: text },
        ...{ push: flag, 'plain-http': flag, help: { ...flag, short: 'h' } },
      },
    }).values
  } catch (error) {
    throw new ArgumentError(messageOf(error), { cause: error })
  }
}

/** Images are for Linux, whatever this machine runs. */
const defaultPlatform = (): string => machinePlatform().replace(/^[^/]*/, 'linux')

/**
 * An image name without a host would be looked up in a public registry. The path has the format of registries
 * (https://github.com/opencontainers/distribution-spec/blob/main/spec.md#pulling-manifests).
 */
const registryProblem = (registry: string): string | undefined => {
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
