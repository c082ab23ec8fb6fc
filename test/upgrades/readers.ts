import { join } from 'node:path'
import { build } from 'esbuild'
import type { KindName } from '../../shared/contract/kinds.ts'
import type { ExtensionEvent } from '../../shared/events/events.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import type { DueWork } from '../../shared/lifecycle/lifecycle.ts'
import type { State } from '../../terraform-free-infra/engine/engine.ts'
import { readCompressed, writeCompressed } from './compressed.ts'
import { dataFolder } from './versions.ts'

/** The parts of a version that read what another version wrote. */
export interface Readers {
  /** The work that its bridge and its functions find in an object. */
  readonly dueWork: (kind: KindName, object: KubernetesObject, now: number) => DueWork
  /** Returns undefined for a text that it does not understand. */
  readonly parseStepAnnotation: (text: string | undefined) => object | undefined
  /** Reads `status.state` of an Infrastructure. Throws if it cannot. */
  readonly stateCodec: { readonly decode: (stored: unknown) => State }
  /** Reads an event. Throws if it cannot. */
  readonly parseEventJson: (event: unknown) => ExtensionEvent
}

const fileOf = (name: string): string => join(dataFolder, name, 'readers.mjs.br')

/** Bundles the readers of a version from its sources, with their packages, so that they never change. */
export const writeReaders = async (name: string, folder: string): Promise<void> => {
  const from = (path: string) => JSON.stringify(join(folder, path))
  const { outputFiles } = await build({
    stdin: {
      contents: [
        `export { dueWork } from ${from('shared/lifecycle/decide/due-work.ts')}`,
        `export { parseStepAnnotation } from ${from('shared/contract/step-annotation.ts')}`,
        `export { parseEventJson } from ${from('shared/events/events.ts')}`,
        `export { stateCodec } from ${from('terraform-free-infra/aws/infrastructure/state.ts')}`,
      ].join('\n'),
      resolveDir: folder,
    },
    bundle: true,
    minify: true,
    // Packages in CommonJS require modules of Node.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire('file:///');" },
    format: 'esm',
    platform: 'node',
    legalComments: 'none',
    write: false,
  })
  await writeCompressed(fileOf(name), outputFiles[0]?.text ?? '')
}

/** Loads the readers of a version. */
export const readersOf = async (name: string): Promise<Readers> => {
  const code = Buffer.from(await readCompressed(fileOf(name))).toString('base64')
  return import(/* @vite-ignore */ `data:text/javascript;base64,${code}`)
}
