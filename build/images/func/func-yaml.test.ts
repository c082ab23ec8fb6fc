import { expect, test } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
import { findFunctions } from '../../../functions/find-functions.ts'
import { funcPackage, funcYaml } from './func-yaml.ts'

/**
 * The part of func's schema that is used here (schema/func_yaml-schema.json of github.com/knative/func, which allows no
 * other fields).
 */
const funcProject = z.strictObject({
  specVersion: z.string(),
  name: z.string().regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/),
  runtime: z.literal('node'),
  created: z.iso.datetime(),
  invoke: z.enum(['http', 'cloudevent']),
  build: z.strictObject({
    builder: z.enum(['pack', 's2i']),
    buildEnvs: z.array(z.strictObject({ name: z.string(), value: z.string() })),
  }),
  run: z.strictObject({ envs: z.array(z.strictObject({ name: z.string(), value: z.string() })) }),
  deploy: z.strictObject({
    serviceAccountName: z.string(),
    healthEndpoints: z.strictObject({ liveness: z.string(), readiness: z.string() }),
    options: z.strictObject({ scale: z.strictObject({ min: z.int().min(0), max: z.int().min(0) }) }),
    subscriptions: z
      .array(z.strictObject({ source: z.string(), filters: z.record(z.string(), z.string()) }))
      .nonempty(),
  }),
})

test.each((await findFunctions()).map(definition => [definition.name, definition] as const))(
  '%s is a project of func: its name, its account, its events',
  (name, definition) => {
    const func = { definition, version: '1.2.3', license: undefined, broker: 'default' }
    const project = funcProject.parse(parse(funcYaml(func)))
    expect(project).toMatchObject({ name, deploy: { serviceAccountName: name } })
    expect(project.deploy.subscriptions).toEqual(
      definition.types.map(provider => ({ source: 'default', filters: { kind: definition.kind, provider } })),
    )
    const { scripts } = JSON.parse(funcPackage(func))
    expect(scripts.start).toMatch(/^node .*main\.cjs$/)
  },
)
