import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { allCrds, machineCrds, resourceCrds } from '../../shared/contract/crds/crd-of.ts'
import { besidePath, isBeside, withBeside } from '../../test/beside/beside.ts'
import { knativeDefinitions } from '../knative/knative.ts'
import { testServer } from './testing/api-server-fixture.ts'

const folder = besidePath('crds')
const files = isBeside('crds') ? readdirSync(folder).filter(file => file.endsWith('.yaml')) : []

const ours = [...allCrds(), ...machineCrds(), ...resourceCrds(), ...knativeDefinitions()]

test.each(ours.map(one => [one.metadata.name, one] as const))('%s is served', (_, definition) =>
  isServed([definition]),
)

describe.skipIf(!isBeside('crds'))(withBeside('crds', 'the definitions of Gardener and Knative'), () => {
  test.each(files)('%s is served', file =>
    isServed(
      parseAllDocuments(readFileSync(join(folder, file), 'utf8')).flatMap(
        document => document.toJSON() ?? [],
      ),
    ),
  )
})

const isServed = async (definitions: readonly unknown[]): Promise<void> => {
  const { call } = testServer()
  for (const definition of definitions) {
    const created = await call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)
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
}
