import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { sbomOf } from './sbom-of.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const packages = ['pino', 'zod', '@aws-sdk/client-ec2'].map(name => join(root, 'node_modules', name))
const contents = {
  project: 'acme',
  name: 'acme-dnsrecord',
  version: '1.2.3',
  license: 'UNLICENSED',
  packages,
}

const schemas = join(
  dirname(createRequire(import.meta.url).resolve('@cyclonedx/cyclonedx-library/package.json')),
  'res/schema',
)
const schema = (name: string) =>
  JSON.parse(readFileSync(join(schemas, `${name}.SNAPSHOT.schema.json`), 'utf8'))
const validator = new Ajv({ strict: false, validateFormats: false })
for (const name of ['spdx', 'jsf-0.82', 'cryptography-defs'])
  validator.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`)
const validate = validator.compile(schema('bom-1.6'))

test('the contents of a program are a CycloneDX document', async () => {
  const bom = JSON.parse(await sbomOf(contents))
  validate(bom)
  expect(validate.errors).toBeNull()
  expect(validate({ ...bom, components: [{ name: 'no type' }] })).toBe(false)
})

test('they name the base image with Node, and the Node that built the program', async () => {
  const digest = `sha256:${'a'.repeat(64)}`
  const base = `registry.example:5000/images/nodejs24:nonroot@${digest}`
  const bom = JSON.parse(await sbomOf({ ...contents, base }))
  validate(bom)
  expect(validate.errors).toBeNull()
  expect(bom.metadata.tools.components).toEqual([
    expect.objectContaining({ name: 'node', version: process.versions.node }),
  ])
  const component = bom.components.find(({ type }: { readonly type: string }) => type === 'container')
  expect(component).toMatchObject({
    version: digest,
    purl: `pkg:oci/nodejs24@sha256%3A${'a'.repeat(64)}?repository_url=registry.example:5000/images/nodejs24`,
  })
  expect(bom.dependencies[0].dependsOn).toContain(base)
})

test('they name each package with its version, licence and package URL, and that the program needs it', async () => {
  const bom = JSON.parse(await sbomOf(contents))
  const { version } = JSON.parse(
    readFileSync(join(root, 'node_modules/@aws-sdk/client-ec2/package.json'), 'utf8'),
  )
  const purl = `pkg:npm/%40aws-sdk/client-ec2@${version}`
  expect(bom.components[0]).toMatchObject({
    'bom-ref': purl,
    group: '@aws-sdk',
    licenses: [{ license: { id: 'Apache-2.0' } }],
    name: 'client-ec2',
    purl,
    version,
  })
  expect(bom.metadata.component).toMatchObject({
    name: 'acme-dnsrecord',
    version: '1.2.3',
    licenses: [{ license: { name: 'UNLICENSED' } }],
  })
  const program = bom.dependencies.find(
    ({ ref }: { readonly ref: string }) => ref === bom.metadata.component['bom-ref'],
  )
  expect(program.dependsOn).toHaveLength(3)
})

test('they are the same for the same packages in any input order', async () => {
  expect(await sbomOf({ ...contents, packages: packages.toReversed() })).toBe(await sbomOf(contents))
})
