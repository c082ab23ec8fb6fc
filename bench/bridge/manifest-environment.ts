import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseAllDocuments } from 'yaml'

interface Deployment {
  readonly kind: string
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly {
          readonly env: readonly { readonly name: string; readonly value?: string }[]
        }[]
      }
    }
  }
}

/**
 * The environment that `deploy/knative/base` gives a process that always runs, its limits for V8 among it; what is measured is of other
 * types, and what is read off the pod stays away.
 */
export const manifestEnvironment = async (
  name: 'bridge' | 'webhook' = 'bridge',
): Promise<Readonly<Record<string, string>>> => {
  const manifest = fileURLToPath(new URL(`../../deploy/knative/base/${name}.yaml`, import.meta.url))
  const documents = parseAllDocuments(await readFile(manifest, 'utf8')).map(document => document.toJS())
  const deployment = (documents as Deployment[]).find(({ kind }) => kind === 'Deployment')
  const env = deployment?.spec.template.spec.containers[0]?.env ?? []
  return Object.fromEntries(
    env.flatMap(({ name, value }) =>
      name === 'TRELLIS_SERVED' || value === undefined ? [] : [[name, value]],
    ),
  )
}
