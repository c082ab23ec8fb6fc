import { describe, expect, test } from 'vitest'
import {
  ca,
  certificateIn,
  certificatesIn,
  configs,
  dayMs,
  identity,
  issuerOf,
  namespace,
  newSeed,
  rotationAt,
  server,
  start,
  webhook,
  yearMs,
} from './testing/seed.ts'

const caName = 'ca-provider-aws-controlplane-bdef740c'
const hashed = (name: string) => expect.stringMatching(new RegExp(`^${name}-[0-9a-f]{8}$`))
const decimal = expect.stringMatching(/^\d+$/)
const base = {
  'managed-by': 'secrets-manager',
  'manager-identity': identity,
  'last-rotation-initiation-time': '',
  'checksum-of-config': decimal,
}
/** From one minute earlier until ten calendar years later. */
const lifetime = {
  'issued-at-time': String(start / 1000 - 60),
  'valid-until-time': String(Date.parse('2036-01-01T00:00:00Z') / 1000),
}

describe('the first generation', () => {
  test('a CA, its bundle and its certificates are created, each with all labels at once', async () => {
    const { reconcile, requests, all } = await newSeed()
    const { created } = await reconcile()
    expect(created).toEqual([caName, hashed(`${ca.name}-bundle`), hashed(server.name), hashed(webhook.name)])
    expect(requests).toEqual([
      `list managed-by=secrets-manager,manager-identity=${identity}`,
      'list secrets-manager-use-data-for-name',
      ...created.map(name => `create ${name}`),
    ])
    const signed = { ...base, ...lifetime, 'checksum-of-signing-ca': expect.stringMatching(/^[0-9a-f]{63}$/) }
    const made = new Map(
      (await all()).map(({ metadata: { labels }, ...rest }) => [labels?.name, { labels, ...rest }]),
    )
    expect([...made.keys()].sort()).toEqual([webhook.name, ca.name, `${ca.name}-bundle`, server.name].sort())
    expect(made.get(ca.name)).toMatchObject({ type: 'Opaque', immutable: true })
    expect(made.get(ca.name)?.labels).toEqual({
      ...base,
      ...lifetime,
      name: ca.name,
      'checksum-of-config': '6178420258531182942',
      persist: 'true',
    })
    expect(made.get(`${ca.name}-bundle`)).toMatchObject({ type: 'Opaque', immutable: true })
    expect(made.get(`${ca.name}-bundle`)?.labels).toEqual({
      ...base,
      name: `${ca.name}-bundle`,
      'bundle-for': ca.name,
      'issued-at-time': String(start / 1000),
    })
    for (const { name } of [server, webhook]) {
      expect(made.get(name)).toMatchObject({ type: 'kubernetes.io/tls', immutable: true })
      expect(made.get(name)?.labels).toEqual({ ...signed, name })
    }
  })

  test('the CA has the name of its Secret and signs the certificates', async () => {
    const { reconcile } = await newSeed()
    const { current } = await reconcile()
    const authority = certificateIn(current(ca.name))
    expect(authority).toMatchObject({ ca: true, subject: `CN=${caName}`, issuer: `CN=${caName}` })
    for (const { name, commonName, dnsNames } of [server, webhook]) {
      const certificate = certificateIn(current(name))
      expect(certificate).toMatchObject({ ca: false, subject: `CN=${commonName}`, issuer: `CN=${caName}` })
      expect(certificate.subjectAltName).toBe(dnsNames.map(dnsName => `DNS:${dnsName}`).join(', '))
      expect(certificate.verify(authority.publicKey)).toBe(true)
    }
  })

  test('the Secrets hold the keys that their users expect', async () => {
    const { reconcile } = await newSeed()
    const { current, bundle } = await reconcile()
    expect(Object.keys(current(ca.name).data).sort()).toEqual(['ca.crt', 'ca.key'])
    expect(Object.keys(current(server.name).data).sort()).toEqual(['tls.crt', 'tls.key'])
    expect(
      certificatesIn({ data: { 'bundle.crt': current(server.name).data['tls.crt'] ?? '' } }),
    ).toHaveLength(1)
    expect(bundle(ca.name).data).toEqual({ 'bundle.crt': current(ca.name).data['ca.crt'] })
    const key = Buffer.from(current(server.name).data['tls.key'] ?? '', 'base64').toString()
    expect(key).toMatch(/^-----BEGIN RSA PRIVATE KEY-----\n/)
  })

  test('a certificate has the CA beside it and in its chain if its config requests that', async () => {
    const { reconcile } = await newSeed()
    const { skipPublishingCaCertificate: _, ...published } = server
    const { current } = await reconcile({
      configs: [ca, { ...published, includeCaCertificateInServerChain: true }],
    })
    const { data } = current(server.name)
    const authority = current(ca.name).data['ca.crt'] ?? ''
    expect(data['ca.crt']).toBe(authority)
    const chain = Buffer.from(data['tls.crt'] ?? '', 'base64').toString()
    expect(chain.endsWith(Buffer.from(authority, 'base64').toString())).toBe(true)
    expect(certificatesIn({ data: { 'bundle.crt': data['tls.crt'] ?? '' } })).toHaveLength(2)
  })

  test('only the new CA is created during a rotation', async () => {
    const { reconcile } = await newSeed()
    const { created, old } = await reconcile({
      rotation: { startedAt: Date.parse('2026-03-01T10:00:00Z'), ignoresOld: false },
    })
    expect(created[0]).toBe(`${caName}-6130c`)
    expect(created).toHaveLength(4)
    expect(old(ca.name)).toBeUndefined()
  })

  test('a certificate of a CA without a config is an error', async () => {
    const { reconcile } = await newSeed()
    await expect(reconcile({ configs: [server] })).rejects.toThrow(
      `cannot generate ${server.name}: its CA ${ca.name} has no config`,
    )
  })
})

describe('an unchanged object', () => {
  test('costs one list and no write, even a year later', async () => {
    const { reconcile, requests, clock } = await newSeed()
    const first = await reconcile()
    await clock.advance(yearMs)
    const second = await reconcile()
    expect(requests).toEqual([`list managed-by=secrets-manager,manager-identity=${identity}`])
    expect(second.created).toEqual([])
    for (const { name } of configs) expect(second.current(name)).toEqual(first.current(name))
    expect(second.bundle(ca.name)).toEqual(first.bundle(ca.name))
  })

  test('gets changed labels back and is immutable again', async () => {
    const { reconcile, requests, clock, patch, secret } = await newSeed()
    const { current } = await reconcile()
    const { name } = current(server.name)
    const before = (await secret(name))?.metadata.labels
    await patch(name, { metadata: { labels: { own: 'label', 'valid-until-time': '1', 'bundle-for': 'x' } } })
    await clock.advance(dayMs)
    await reconcile()
    expect(requests).toEqual([expect.stringMatching(/^list /), `patch ${name}`])
    expect((await secret(name))?.metadata.labels).toEqual(before)
  })

  test('is made immutable if it is not', async () => {
    const other = await newSeed()
    await other.reconcile()
    const { reconcile, put, requests, secret } = await newSeed()
    for (const { metadata, type, data } of await other.all())
      await put({ metadata: { name: metadata.name, labels: metadata.labels ?? {} }, type, data })
    await reconcile()
    expect(requests.filter(request => !/^list /.test(request))).toHaveLength(4)
    expect(await secret(caName)).toMatchObject({ immutable: true })
  })

  test('is found in a list with several pages', async () => {
    const { reconcile, watched, requests } = await newSeed()
    await reconcile()
    await reconcile({
      kubernetes: {
        ...watched,
        list: (resource, options) => watched.list(resource, { ...options, limit: 1 }),
      },
    })
    expect(requests).toEqual(Array(4).fill(expect.stringMatching(/^list managed-by/)))
  })
})

describe('a Secret deleted by hand', () => {
  test.each([server.name, webhook.name])('is recreated: %s', async config => {
    const { reconcile, remove, clock } = await newSeed()
    const first = await reconcile()
    await remove(first.current(config).name)
    await clock.advance(dayMs)
    const second = await reconcile()
    expect(second.created).toEqual([first.current(config).name])
    expect(second.current(config).data).not.toEqual(first.current(config).data)
    expect(second.lostAuthorities).toEqual([])
  })

  test('of a CA is reported, and a new CA with new certificates is created under its name', async () => {
    const { reconcile, remove, clock } = await newSeed()
    const first = await reconcile()
    expect(first.lostAuthorities).toEqual([])
    await remove(caName)
    await clock.advance(dayMs)
    const second = await reconcile()
    expect(second.lostAuthorities).toEqual([ca.name])
    expect(second.created).toHaveLength(4)
    expect(second.current(ca.name).name).toBe(caName)
    const authority = certificateIn(second.current(ca.name))
    expect(certificateIn(second.current(server.name)).verify(authority.publicKey)).toBe(true)
    await clock.advance(dayMs)
    expect((await reconcile()).lostAuthorities).toEqual([])
  })

  test('of a CA is reported again by the next step if the first one dies before its clean-up', async () => {
    const { reconcile, managerOf, remove } = await newSeed()
    await reconcile()
    await remove(caName)
    await managerOf().generate()
    expect((await managerOf().generate()).lostAuthorities).toEqual([ca.name])
  })
})

describe('provided data', () => {
  const label = 'secrets-manager-use-data-for-name'

  test('become the next created CA', async () => {
    const other = await newSeed()
    const { data } = (await other.reconcile()).current(ca.name)
    const { reconcile, put } = await newSeed()
    await put({ metadata: { name: 'brought-along', labels: { [label]: ca.name } }, data })
    const { current } = await reconcile()
    expect(current(ca.name)).toMatchObject({ name: caName, data })
    expect(issuerOf(current(server.name))).toBe(`CN=${caName}`)
  })

  test('may end without a line break, which a bundle requires', async () => {
    const other = await newSeed()
    const { data } = (await other.reconcile()).current(ca.name)
    const certificate = Buffer.from(data['ca.crt'] ?? '', 'base64')
      .toString()
      .trim()
    const { reconcile, put } = await newSeed()
    const labels = { [label]: ca.name }
    await put({ metadata: { name: 'brought-along', labels }, data: { ...data, 'ca.crt': btoa(certificate) } })
    await reconcile()
    const { bundle } = await reconcile({ rotation: rotationAt('2026-03-01T10:00:00Z') })
    const text = Buffer.from(bundle(ca.name).data['bundle.crt'] ?? '', 'base64').toString()
    expect(text.endsWith('-----END CERTIFICATE-----\n')).toBe(true)
    expect(certificatesIn(bundle(ca.name))).toHaveLength(2)
  })

  test('become the next created certificate, and their source stays unchanged', async () => {
    const other = await newSeed()
    const { data } = (await other.reconcile()).current(server.name)
    const { reconcile, put, secret } = await newSeed()
    await put({ metadata: { name: 'brought-along', labels: { [label]: server.name } }, data })
    const { current } = await reconcile()
    expect(current(server.name).data).toEqual(data)
    expect(await secret('brought-along')).toBeDefined()
  })

  test('are not read while there is nothing to create', async () => {
    const { reconcile, put } = await newSeed()
    const first = await reconcile()
    const { data } = first.current(webhook.name)
    await put({ metadata: { name: 'too-late', labels: { [label]: server.name } }, data })
    expect((await reconcile()).current(server.name)).toEqual(first.current(server.name))
  })

  test('in two Secrets are an error that names both', async () => {
    const { reconcile, put, names } = await newSeed()
    for (const name of ['b', 'a']) await put({ metadata: { name, labels: { [label]: ca.name } }, data: {} })
    await expect(reconcile()).rejects.toThrow(
      `cannot import data for the generated secret ${ca.name}: more than one Secret of ${namespace} has its label: a, b`,
    )
    expect(await names()).toEqual(['a', 'b'])
  })

  test('without a key, or with the key of another certificate, are an error that does not contain them', async () => {
    const other = await newSeed()
    const { current } = await other.reconcile()
    const { data } = current(ca.name)
    for (const wrong of [
      { 'ca.crt': data['ca.crt'] },
      { ...data, 'ca.key': current(server.name).data['tls.key'] },
      { ...data, 'ca.key': btoa('hidden') },
      { ...data, 'ca.crt': btoa('hidden') },
    ]) {
      const { reconcile, put } = await newSeed()
      await put({ metadata: { name: 'wrong', labels: { [label]: ca.name } }, data: wrong })
      await expect(reconcile()).rejects.toThrow(
        `cannot import data for the generated secret ${ca.name}: the Secret ${namespace}/wrong does not contain ca.crt and ca.key that belong together`,
      )
    }
  })
})

describe('a Secret of another program', () => {
  test('is adopted by its name, even without labels', async () => {
    const { reconcile, patch, secret } = await newSeed()
    const first = await reconcile()
    const before = (await secret(caName))?.metadata.labels ?? {}
    await patch(caName, {
      metadata: { labels: Object.fromEntries(Object.keys(before).map(key => [key, null])) },
    })
    const second = await reconcile()
    expect(second.current(ca.name).data).toEqual(first.current(ca.name).data)
    expect((await secret(caName))?.metadata.labels).toEqual(before)
    expect(second.created).toEqual([])
  })

  test('under another identity is not adopted, changed or deleted', async () => {
    const { reconcile, managerOf, all } = await newSeed()
    const others = { identity: 'provider-aws-controlplane-exposure' }
    await reconcile(others)
    const before = await all()
    await expect(reconcile()).rejects.toThrow(
      `cannot generate the Secret ${namespace}/${caName}: the secrets manager ${others.identity} owns a Secret with that name`,
    )
    await managerOf().removeAll()
    await managerOf().removeUnpersisted()
    expect(await all()).toEqual(before)
  })

  test('with invalid content is an error that does not contain the content', async () => {
    const { reconcile, secret, put, remove } = await newSeed()
    await reconcile()
    const labels = (await secret(caName))?.metadata.labels ?? {}
    await remove(caName)
    await put({
      metadata: { name: caName, labels },
      data: { 'ca.crt': btoa('hidden'), 'ca.key': btoa('hidden') },
    })
    await expect(reconcile()).rejects.toThrow(
      `cannot read the generated Secret ${namespace}/${caName}: its certificate is unreadable. Delete it to have it recreated`,
    )
    await remove(caName)
    await put({ metadata: { name: caName, labels }, data: { 'ca.crt': btoa('hidden') } })
    await expect(reconcile()).rejects.toThrow('it has no ca.key. Delete it')
  })
})

test('using an unknown config throws an error', async () => {
  const { reconcile } = await newSeed()
  const { current, bundle } = await reconcile()
  expect(() => current('other')).toThrow('the generated secret other has no config')
  expect(() => bundle(server.name)).toThrow(`the generated secret ${server.name} has no config`)
})
