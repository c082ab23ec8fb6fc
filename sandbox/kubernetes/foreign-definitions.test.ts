import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { testServer } from './api-server-fixture.ts'

const folder = join(import.meta.dirname, '..', '..', '..', 'shared', 'crds')
const files = existsSync(folder) ? readdirSync(folder).filter(file => file.endsWith('.yaml')) : []
if (files.length === 0)
  console.info('skipped: no folder of definitions of other projects beside the repository')

describe.skipIf(files.length === 0)('the definitions of Gardener and Knative', () => {
  test.each(files)('%s is served', async file => {
    const { call } = testServer()
    for (const document of parseAllDocuments(readFileSync(join(folder, file), 'utf8'))) {
      const definition: unknown = document.toJSON()
      if (definition === null) continue
      const created = await call(
        'POST',
        '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
        definition,
      )
      expect(created.status, JSON.stringify(created.body).slice(0, 500)).toBe(201)
      const { spec } = created.body as {
        readonly spec: {
          readonly group: string
          readonly names: { readonly plural: string; readonly listKind: string }
          readonly versions: readonly { readonly name: string; readonly served: boolean }[]
        }
      }
      const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io'
      for (const { name } of spec.versions.filter(version => version.served)) {
        const path = `/apis/${spec.group}/${name}/${spec.names.plural}`
        expect((await call('GET', path)).body).toMatchObject({ kind: spec.names.listKind, items: [] })
        expect((await call('GET', path, undefined, { accept })).body).toMatchObject({
          kind: 'Table',
          rows: [],
        })
        expect((await call('GET', `/openapi/v3/apis/${spec.group}/${name}`)).status).toBe(200)
      }
    }
  })
})
