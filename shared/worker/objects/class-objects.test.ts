import { describe, expect, test } from 'vitest'
import { classPatch, classSecretPatch, newClass, newClassSecret } from './class-objects.ts'

const key = { name: 'a-z1-01234', namespace: 'n' }
const others = { someone: 'else' }

describe('a class with other labels', () => {
  const desired = {
    key,
    content: { labels: { zone: 'z1' }, provider: 'Box', providerSpec: { size: 1 }, nodeTemplate: undefined },
    credentials: { name: 'cloudprovider', namespace: 'n' },
  }
  const present = newClass(desired)

  test('gets its own labels back, and no other field', () => {
    const changed = { ...present, metadata: { ...present.metadata, labels: others } }
    expect(classPatch(present, desired)).toBeUndefined()
    expect(classPatch(changed, desired)).toEqual({ metadata: { labels: { someone: null, zone: 'z1' } } })
  })

  test('and its Secret too', () => {
    const secret = newClassSecret(key, '#!/bin/sh')
    const changed = { ...secret, metadata: { ...secret.metadata, labels: others } }
    expect(classSecretPatch(secret, '#!/bin/sh')).toBeUndefined()
    expect(classSecretPatch(changed, '#!/bin/sh')).toEqual({
      metadata: { labels: { someone: null, ...secret.metadata.labels } },
    })
  })
})
