import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { messageOf } from '../../shared/text/message-of.ts'
import { imageOptions } from '../images/images.ts'
import { isVersion } from './changelog/changelog.ts'

export interface ReleaseArguments {
  readonly version: string
  /** Host and path, without a trailing slash. */
  readonly registry: string
  readonly platforms: readonly string[]
  /** The folder with an OCI layout `<architecture>/images` of each platform. Default: build them. */
  readonly layouts: string | undefined
  readonly base: string
  /** Default: all programs. */
  readonly only: readonly string[] | undefined
  readonly source: string | undefined
  /** `key`: a key pair of this run. `keyless`: the identity of a workflow, with an entry in Sigstore's log. */
  readonly sign: 'key' | 'keyless'
  readonly out: string
  readonly plainHttp: boolean
}

export const help = `node build/release/main.ts --version VERSION --registry HOST/PATH [options]

Builds everything of a release from a clean commit, pushes images and charts to a registry, and signs them.

  --version VERSION      the version of package.json, with a section in CHANGELOG.md
  --registry HOST/PATH   registry of images and charts: ghcr.io/acme/trellis. 127.0.0.1 needs no TLS
  --platforms LIST       default: linux/amd64,linux/arm64
  --layouts FOLDER       use the images of FOLDER/<architecture>/images, which make images built on machines of each platform
  --sign key|keyless     key (default): a key of this run, without Sigstore's log. keyless: the identity of a workflow
  --base IMAGE@DIGEST    base image (default: build/images/base.json)
  --only NAME,…          only these programs, to try a release
  --source URL           URL of the sources, for the labels of the images
  --out FOLDER           output folder (default: dist/release)
  --plain-http           the registry has no TLS
`

const defaultPlatforms = 'linux/amd64,linux/arm64'

/** Throws an `UsageError` if an argument is missing or invalid. */
export const readReleaseArguments = (
  args: readonly string[],
  defaults: { readonly base: string },
): ReleaseArguments | 'help' => {
  const values = parsed(args)
  if (values.help) return 'help'
  const { version = '', registry = '', sign = 'key', platforms = defaultPlatforms } = values
  if (!isVersion(version))
    throw new UsageError(
      `VERSION is ${JSON.stringify(version)}: expected a semantic version without build metadata, such as 1.2.3 or 1.2.3-rc.1`,
    )
  if (registry === '')
    throw new UsageError('REGISTRY is missing: expected a host and a path, such as 127.0.0.1:5000/trellis')
  if (sign !== 'key' && sign !== 'keyless')
    throw new UsageError(`--sign: expected key or keyless, found ${JSON.stringify(sign)}`)
  const { base } = imageOptions(
    { registry, ...(values.base !== undefined && { base: values.base }) },
    { base: defaults.base, version },
  )
  const wanted = platforms.split(',')
  for (const platform of wanted)
    if (!/^linux\/[a-z0-9]+$/.test(platform))
      throw new UsageError(
        `--platforms: expected platforms such as ${defaultPlatforms}, found ${JSON.stringify(platform)}`,
      )
  return {
    version,
    registry,
    platforms: wanted,
    layouts: values.layouts,
    base,
    only: values.only?.split(','),
    source: values.source,
    sign,
    out: resolve(values.out ?? 'dist/release'),
    plainHttp: values['plain-http'] ?? isLoopback(registry),
  }
}

const isLoopback = (registry: string): boolean => /^(?:127\.|localhost[:/]|\[::1\])/.test(registry)

const parsed = (args: readonly string[]) => {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  try {
    return parseArgs({
      args: [...args],
      options: {
        ...{ version: text, registry: text, platforms: text, layouts: text, sign: text, base: text },
        ...{ only: text, source: text, out: text, 'plain-http': flag, help: { ...flag, short: 'h' } },
      },
    }).values
  } catch (error) {
    throw new UsageError(messageOf(error), { cause: error })
  }
}
