import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { findFunctions } from '../../functions/find-functions.ts'

const folder = new URL('../../knative/registration/beside/', import.meta.url)
const splits = readdirSync(folder).filter(file => file.endsWith('.yaml'))
const functions = await findFunctions()

/**
 * The registrations of provider-aws (gardener-extension-provider-aws 2ff8d818, example/controller-registration.yaml).
 */
const registered: Readonly<Record<string, string>> = {
  BackupBucket: 'aws',
  BackupEntry: 'aws',
  Bastion: 'aws',
  ControlPlane: 'aws',
  DNSRecord: 'aws-route53',
  Infrastructure: 'aws',
  Worker: 'aws',
}

interface Changed {
  readonly kind: string
  readonly helm: { readonly values: { readonly disableControllers: readonly string[] } }
  readonly spec: { readonly resources: readonly { readonly kind: string; readonly type: string }[] }
}

describe.each(splits)('knative/registration/beside/%s', file => {
  const [deployment, registration] = parseAllDocuments(readFileSync(new URL(file, folder), 'utf8')).map(
    document => document.toJS() as Changed,
  )
  const kept = registration?.spec.resources ?? []
  const moved = Object.keys(registered).filter(kind => !kept.some(resource => resource.kind === kind))

  test('assigns each kind and type to one extension: the Go extension retains those of its registration', () => {
    expect(moved.length).toBeGreaterThan(0)
    for (const { kind, type } of kept) expect(type).toBe(registered[kind])
    expect(new Set(kept.map(({ kind }) => kind)).size).toBe(kept.length)
  })

  test('disables only the controllers of the moved kinds', () => {
    expect(deployment?.helm.values.disableControllers).toEqual(moved.map(kind => kind.toLowerCase()))
  })

  test('moves only kinds and types that have a function', () => {
    for (const kind of moved)
      expect(functions.filter(fn => fn.kind === kind).flatMap(({ types }) => types)).toContain(
        registered[kind],
      )
  })

  test('retains health checks while the Go extension retains one of their two kinds', () => {
    const checked = ['ControlPlane', 'Worker'].filter(kind => kept.some(resource => resource.kind === kind))
    if (checked.length > 0) expect(deployment?.helm.values.disableControllers).not.toContain('healthcheck')
  })
})
