import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse, parseAllDocuments, stringify } from 'yaml'
import * as z from 'zod'
import { mergePatch } from '../../shared/kubernetes/kubernetes.ts'
import type { ManifestFile } from './manifest-file.ts'

const componentSchema = z.strictObject({
  apiVersion: z.literal('kustomize.config.k8s.io/v1alpha1'),
  kind: z.literal('Component'),
  metadata: z.looseObject({}).optional(),
  resources: z.array(z.string()).default([]),
  patches: z
    .array(
      z.strictObject({
        path: z.string().optional(),
        patch: z.string().optional(),
        target: z.strictObject({ kind: z.string(), name: z.string() }),
      }),
    )
    .default([]),
})

const headSchema = z.looseObject({ kind: z.string(), metadata: z.looseObject({ name: z.string() }) })

/**
 * Applies a kustomize component to the files, as `components: [folder]` does. Supports the fields that
 * `knative/profiles` uses: further object files, and merge patches for objects by kind and name (a regular
 * expression). Throws a ZodError for anything else.
 */
export const withComponent = async (
  files: readonly ManifestFile[],
  folder: string,
): Promise<readonly ManifestFile[]> => {
  const read = (file: string) => readFile(join(folder, file), 'utf8')
  const { resources, patches } = componentSchema.parse(parse(await read('kustomization.yaml')))
  const changes = await Promise.all(
    patches.map(async ({ path, patch, target }) => ({
      kind: target.kind,
      name: new RegExp(`^(?:${target.name})$`),
      patch: headSchema.parse(parse(patch ?? (await read(path ?? '')))),
    })),
  )
  const patched = (value: unknown): unknown => {
    const head = headSchema.safeParse(value)
    if (!head.success) return value
    const { kind, metadata } = head.data
    return changes
      .filter(change => change.kind === kind && change.name.test(metadata.name))
      .reduce<unknown>(
        (object, { patch }) =>
          mergePatch(object, { ...patch, metadata: { ...patch.metadata, name: metadata.name } }),
        value,
      )
  }
  return [
    ...files.map(({ name, text }) => ({
      name,
      text: parseAllDocuments(text)
        .map(document => stringify(patched(document.toJS())))
        .join('---\n'),
    })),
    ...(await Promise.all(
      resources.map(async file => ({ name: join(folder, file), text: await read(file) })),
    )),
  ]
}
