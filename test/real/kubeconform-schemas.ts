import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { httpTransport, readText } from '../../shared/kubernetes/kubernetes.ts'
import type { RunningApiServer } from './kube-apiserver.ts'

interface Schema {
  readonly properties?: Readonly<Record<string, unknown>>
  readonly additionalProperties?: unknown
  readonly 'x-kubernetes-group-version-kind'?: readonly {
    readonly group: string
    readonly version: string
    readonly kind: string
  }[]
  readonly [key: string]: unknown
}

interface OpenApi {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** Returns the pattern by which kubeconform finds the files of `writeSchemas` in a folder. */
export const schemaLocation = (folder: string): string =>
  join(folder, '{{ .ResourceKind }}_{{ .ResourceAPIVersion }}_{{ .Group }}.json')

/**
 * Writes the JSON Schema of each object's kind as an API server publishes it (`/openapi/v3`), for its own kinds and its
 * CRDs. Unknown fields are refused, as with strict validation by a server.
 */
export const writeSchemas = async (
  server: RunningApiServer,
  folder: string,
  objects: readonly KubernetesObject[],
): Promise<void> => {
  const transport = httpTransport({ access: server.access })
  await mkdir(folder, { recursive: true })
  for (const apiVersion of new Set(objects.map(object => object.apiVersion))) {
    const path = apiVersion.includes('/') ? `apis/${apiVersion}` : `api/${apiVersion}`
    const { status, body } = await transport.send({
      method: 'GET',
      path: `/openapi/v3/${path}`,
      headers: { accept: 'application/json' },
    })
    const text = await readText(body)
    if (status !== 200) throw new Error(`asking for the schemas of ${apiVersion}: ${status} ${text}`)
    const { components } = JSON.parse(text) as OpenApi
    const schemas = Object.fromEntries(
      Object.entries(components.schemas).map(([name, schema]) => [name, strict(schema)] as const),
    )
    const [version = '', group = ''] = apiVersion.split('/').toReversed()
    for (const kind of new Set(
      objects.filter(object => object.apiVersion === apiVersion).map(one => one.kind),
    )) {
      const found = Object.entries(schemas).find(([, schema]) =>
        schema['x-kubernetes-group-version-kind']?.some(
          one => one.group === group && one.version === version && one.kind === kind,
        ),
      )
      if (found === undefined) throw new Error(`the API server tells no schema of ${kind} of ${apiVersion}`)
      await writeFile(
        // kubeconform uses the version as the name of the core group.
        join(folder, `${kind.toLowerCase()}_${version}_${group || version}.json`),
        JSON.stringify({ $ref: `#/components/schemas/${found[0]}`, components: { schemas } }),
      )
    }
  }
}

/** Forbids additional fields in an object with named fields. */
const strict = (schema: Schema): Schema => strictPart(schema) as Schema

const strictPart = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(strictPart)
  if (typeof value !== 'object' || value === null) return value
  const schema = Object.fromEntries(
    Object.entries(value as Schema).map(([key, one]) => [key, strictPart(one)] as const),
  )
  const isNamed =
    typeof schema.properties === 'object' &&
    schema.additionalProperties === undefined &&
    schema['x-kubernetes-preserve-unknown-fields'] !== true &&
    schema.type === 'object'
  return isNamed ? { ...schema, additionalProperties: false } : schema
}
