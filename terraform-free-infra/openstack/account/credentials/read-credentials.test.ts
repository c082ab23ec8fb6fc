import { expect, test } from 'vitest'
import { passwordSecret } from '../testing/scripted-cloud.ts'
import { readCredentials } from './read-credentials.ts'

const common = { domainName: 'acme', tenantName: 'shoots', authUrl: 'http://cloud.test:5000/v3', tls: {} }
const without = (...keys: readonly string[]) => {
  const secret = passwordSecret()
  return {
    ...secret,
    data: Object.fromEntries(Object.entries(secret.data).filter(([key]) => !keys.includes(key))),
  }
}

test('a password', () => {
  expect(readCredentials(passwordSecret())).toEqual({
    ...common,
    kind: 'password',
    username: 'gardener',
    password: 'very-secret',
  })
})

test('application credentials by id and by name', () => {
  const { data, ...secret } = without('password', 'username')
  const byId = { ...data, applicationCredentialID: 'i', applicationCredentialSecret: 's' }
  expect(readCredentials({ ...secret, data: byId })).toEqual({
    ...common,
    kind: 'application-credential',
    id: 'i',
    secret: 's',
  })
  const byName = { ...data, applicationCredentialName: 'n', applicationCredentialSecret: 's', username: 'u' }
  expect(readCredentials({ ...secret, data: byName })).toMatchObject({
    kind: 'named-application-credential',
    name: 'n',
    username: 'u',
  })
})

test('certificates', () => {
  const pem = '-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n'
  expect(readCredentials(passwordSecret({ caCert: pem, insecure: ' True\n' })).tls).toEqual({
    ca: pem,
    insecure: true,
  })
  expect(readCredentials(passwordSecret({ insecure: 'yes' })).tls).toEqual({})
})

test('a password may end with a space, a user name may not', () => {
  expect(readCredentials(passwordSecret({ password: 'w ' }))).toMatchObject({ password: 'w ' })
  expect(() => readCredentials(passwordSecret({ username: 'u ' }))).toThrow('its username contains')
})

test('keys of DNS Secrets, only where they are accepted', () => {
  const data = {
    OS_DOMAIN_NAME: 'd',
    OS_PROJECT_NAME: 'p',
    OS_USERNAME: 'u',
    OS_PASSWORD: 'w',
    OS_AUTH_URL: 'https://k.test/v3',
  }
  const secret = { ...passwordSecret(), data }
  expect(readCredentials(secret, { dnsKeys: true })).toMatchObject({ domainName: 'd', username: 'u' })
  expect(() => readCredentials(secret)).toThrow('it has no domainName')
  expect(() => readCredentials({ ...secret, data: {} }, { dnsKeys: true })).toThrow(
    'it has no domainName or OS_DOMAIN_NAME',
  )
})

test.each([
  [without('tenantName'), 'it has no tenantName'],
  [without('username'), 'it has no username'],
  [without('password'), 'it has neither password nor applicationCredentialSecret'],
  [
    passwordSecret({ applicationCredentialSecret: 's' }),
    'it has both password and applicationCredentialSecret. Remove one of them',
  ],
  [
    { ...without('password'), data: { ...without('password').data, applicationCredentialSecret: 's' } },
    'neither applicationCredentialID nor applicationCredentialName',
  ],
  [passwordSecret({ password: 'very-secret\n' }), 'its password contains control characters or white space'],
  [passwordSecret({ authURL: 'cloud.test' }), 'its authURL is not the URL of Keystone'],
])('%#: refused without showing a value', (secret, message) => {
  const read = () => readCredentials(secret)
  expect(read).toThrow(message)
  expect(read).toThrow('Secret shoot--a--b/cloudprovider')
  expect(read).not.toThrow('very-secret')
})
