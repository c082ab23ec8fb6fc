import { readFile } from 'node:fs/promises'
import { parseAllDocuments } from 'yaml'
import * as z from 'zod'

const service = z.object({
  kind: z.literal('Service'),
  spec: z.object({
    template: z.object({
      spec: z.object({
        containerConcurrency: z.number(),
        containers: z.array(z.object({ env: z.array(z.object({ name: z.string(), value: z.string() })) })),
      }),
    }),
  }),
})

/**
 * Reads the pod's environment and concurrency from the manifest of a function, or of all functions of a provider in one
 * process.
 */
export const serviceOf = async (name: string) => {
  const set = name.endsWith('-compact') ? 'compact' : 'base'
  const file = new URL(`../../deploy/knative/${set}/functions/${name}.yaml`, import.meta.url)
  const [found] = parseAllDocuments(await readFile(file, 'utf8')).flatMap(
    document => service.safeParse(document.toJS()).data ?? [],
  )
  if (found === undefined) throw new Error(`${name} has no Service`)
  const { containers, containerConcurrency } = found.spec.template.spec
  const env: Readonly<Record<string, string>> = Object.fromEntries(
    containers.flatMap(container => container.env).map(({ name: variable, value }) => [variable, value]),
  )
  return { env, concurrency: containerConcurrency }
}
