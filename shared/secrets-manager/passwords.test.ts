import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { PasswordConfig } from './config.ts'
import { passwordChecksum } from './names/config-checksum.ts'
import { newSeed } from './testing/seed.ts'

const hourMs = 3_600_000
const password = {
  kind: 'password',
  name: 'provider-local-dummy-auth',
  passwordLength: 32,
  validityMs: hourMs,
} as const satisfies PasswordConfig
const options = { configs: [password] }
const texts = (data: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text, 'base64').toString()]))

test('a password Secret has the same name as in the Go extension', async () => {
  expect(passwordChecksum(password)).toBe('9207884496607812683')
  const { reconcile } = await newSeed()
  const { created } = await reconcile(options)
  expect(created).toEqual(['provider-local-dummy-auth-99e7cf56'])
})

test('a password is random and stored with its htpasswd hash', async () => {
  const made = await Promise.all(
    [1, 2].map(async () => {
      const { reconcile } = await newSeed()
      return texts((await reconcile(options)).current(password.name).data)
    }),
  )
  for (const { username, password, auth } of made) {
    expect(username).toBe('')
    expect(password).toMatch(/^[A-Za-z0-9]{32}$/)
    expect(auth).toBe(`:{SHA}${createHash('sha1').update(String(password)).digest('base64')}`)
  }
  expect(made[0]?.password).not.toBe(made[1]?.password)
})

test('a password is retained without a write while it is valid', async () => {
  const { reconcile, requests, clock, secret } = await newSeed()
  const first = (await reconcile(options)).current(password.name)
  const { labels } = (await secret(first.name))?.metadata ?? {}
  expect(Number(labels?.['valid-until-time']) - Number(labels?.['issued-at-time'])).toBe(3600)
  await clock.advance(0.8 * hourMs - 1000)
  expect((await reconcile(options)).current(password.name)).toEqual(first)
  expect(requests.filter(request => !request.startsWith('list'))).toEqual([])
})

test('a password is renewed once at 80 % of its validity, and the previous one stays for pods that mount it', async () => {
  const { reconcile, clock, names } = await newSeed()
  const first = (await reconcile(options)).current(password.name)
  await clock.advance(0.8 * hourMs)
  const second = (await reconcile(options)).current(password.name)
  expect(second.name).not.toBe(first.name)
  expect((await reconcile(options)).current(password.name)).toEqual(second)
  expect(await names()).toEqual([first.name, second.name].toSorted())
  await clock.advance(11 * 60_000)
  await reconcile(options)
  expect(await names()).toEqual([second.name])
})

test('a password without its labels is retained and gets them back', async () => {
  const { reconcile, patch, secret } = await newSeed()
  const first = (await reconcile(options)).current(password.name)
  await patch(first.name, { metadata: { labels: { 'issued-at-time': null, 'valid-until-time': null } } })
  expect((await reconcile(options)).current(password.name)).toEqual(first)
  expect((await secret(first.name))?.metadata.labels).toHaveProperty('valid-until-time')
})

test('a password Secret without a password is refused with its name', async () => {
  const { reconcile, secret, remove, put } = await newSeed()
  const { name } = (await reconcile(options)).current(password.name)
  const { metadata } = (await secret(name)) ?? {}
  await remove(name)
  await put({ metadata: { name, labels: metadata?.labels ?? {} }, data: { username: '' } })
  await expect(reconcile(options)).rejects.toThrow(`${name}: it has no password, auth`)
})

test('a deletion removes passwords, and so does a migration', async () => {
  for (const end of ['removeAll', 'removeUnpersisted'] as const) {
    const { reconcile, managerOf, names } = await newSeed()
    await reconcile(options)
    await managerOf(options)[end]()
    expect(await names()).toEqual([])
  }
})
