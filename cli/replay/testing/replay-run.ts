import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { findProviders } from '../../../sandbox/providers/find-providers.ts'
import { cloudOptions } from '../../../sandbox/providers/flags.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { type ReplayOptions, type ReplayOutput, replayFiles } from '../replay-files.ts'

export const root = fileURLToPath(new URL('../../..', import.meta.url))
export const events = join(root, 'test/events')
export const create = join(events, 'dnsrecord-create.json')
export const infrastructure = (event: string) => join(events, `infrastructure-${event}.json`)
export const cluster = join(root, 'examples/infrastructure/one-zone.yaml')
export const broken = join(events, 'dnsrecord-broken.json')

/** A folder for one test file. */
export const temporaryFiles = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-replay-'))
  return {
    write: async (name: string, content: string): Promise<string> => {
      const path = join(folder, name)
      await writeFile(path, content)
      return path
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** The values of the flags. */
export interface ReplayFlags extends Partial<Omit<ReplayOptions, 'clouds'>> {
  readonly awsEndpoint?: string
  readonly awsState?: string
  readonly saveAwsState?: string
}

/** Replays files, and removes folders from the output. */
export const replay = async (
  paths: readonly string[],
  {
    stdin = '',
    color = false,
    ready,
    ...flags
  }: ReplayFlags & { stdin?: string } & Partial<Pick<ReplayOutput, 'color' | 'ready'>> = {},
) => {
  const providers = await findProviders()
  let text = ''
  const ok = await replayFiles(
    paths,
    { output: 'text', ...flags, clouds: cloudOptions({ ...flags }, providers) },
    {
      providers,
      stdin: Readable.from([stdin]),
      write: more => {
        text += more
      },
      color,
      ...(ready && { ready }),
    },
  )
  return { ok, text: withoutFolders(text) }
}

export interface SavedEvent {
  readonly [attribute: string]: unknown
  readonly data: KubernetesObject & { readonly spec: object }
}
export const saved = async (path: string): Promise<SavedEvent> => JSON.parse(await readFile(path, 'utf8'))

export interface JsonEntry {
  readonly outcome: { readonly kind: string; readonly how?: string }
  readonly object: { readonly after: KubernetesObject; readonly gone: boolean; readonly diff: string[] }
  readonly assumed: boolean
  readonly omitted: readonly string[]
  readonly aws: { readonly reads: number; readonly writes: readonly { readonly sentence: string }[] }
}
/** Returns the JSON output of a replay. */
export const entries = async (paths: readonly string[], options: ReplayFlags = {}) =>
  JSON.parse((await replay(paths, { ...options, output: 'json' })).text) as JsonEntry[]

export const withoutFolders = (text: string): string =>
  text.replaceAll(`${events}/`, '').replaceAll(/\/\S*trellis-replay-[^/]+\//g, '')
