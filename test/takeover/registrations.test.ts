import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { findFunctions } from '../../functions/find-functions.ts'

const folder = new URL('../../deploy/registration/beside/', import.meta.url)
const splits = readdirSync(folder).filter(file => file.endsWith('.yaml'))
const functions = await findFunctions()

/** What provider-aws is registered for (gardener-extension-provider-aws 2ff8d818, example/controller-registration.yaml). */
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

describe.each(splits)('deploy/registration/beside/%s', file => {
  const [deployment, registration] = parseAllDocuments(readFileSync(new URL(file, folder), 'utf8')).map(
    document => document.toJS() as Changed,
  )
  const kept = registration?.spec.resources ?? []
  const moved = Object.keys(registered).filter(kind => !kept.some(resource => resource.kind === kind))

  test('leaves each kind and type to one: what the Go extension keeps is what it is registered for', () => {
    expect(moved.length).toBeGreaterThan(0)
    for (const { kind, type } of kept) expect(type).toBe(registered[kind])
    expect(new Set(kept.map(({ kind }) => kind)).size).toBe(kept.length)
  })

  test('switches off the controllers of the kinds that move, and no other', () => {
    expect(deployment?.helm.values.disableControllers).toEqual(moved.map(kind => kind.toLowerCase()))
  })

  test('moves kinds and types for which there is a function', () => {
    for (const kind of moved)
      expect(functions.filter(fn => fn.kind === kind).flatMap(({ types }) => types)).toContain(
        registered[kind],
      )
  })

  test('keeps health checks while one of the two kinds is kept that they are for', () => {
    const checked = ['ControlPlane', 'Worker'].filter(kind => kept.some(resource => resource.kind === kind))
    if (checked.length > 0) expect(deployment?.helm.values.disableControllers).not.toContain('healthcheck')
  })
})
