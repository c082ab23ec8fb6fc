import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer } from 'node:tls'
import { AsnConvert } from '@peculiar/asn1-schema'
import { Certificate, id_ce_authorityKeyIdentifier, id_ce_keyUsage } from '@peculiar/asn1-x509'
import { generate } from 'selfsigned'
import { describe, expect, test } from 'vitest'
import { certificateFacts, keysMatch } from './certificate-facts.ts'
import { type CertificateRequest, issueCertificate } from './issue-certificate.ts'
import { createKeyPair } from './key-pair.ts'

const keysOf = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
const pemOf = ({ privateKey }: ReturnType<typeof keysOf>) =>
  privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
const minuteMs = 60_000
const caKeys = keysOf()
const serverKeys = keysOf()

const requestOf = (request: Partial<CertificateRequest>): CertificateRequest => ({
  kind: 'server',
  commonName: 'server',
  organization: [],
  dnsNames: [],
  ipAddresses: [],
  notBefore: Date.now() - minuteMs,
  notAfter: Date.now() + 60 * minuteMs,
  keys: serverKeys,
  ...request,
})

const newCa = async () => {
  const certificate = await issueCertificate(requestOf({ kind: 'ca', commonName: 'ca-1', keys: caKeys }))
  return { certificate, key: pemOf(caKeys) }
}

const extensionOf = (pem: string, id: string) =>
  AsnConvert.parse(new X509Certificate(pem).raw, Certificate).tbsCertificate.extensions?.find(
    ({ extnID }) => extnID === id,
  )

describe('a certificate', () => {
  test('of a CA is self-signed and may sign others', async () => {
    const { certificate } = await newCa()
    const parsed = new X509Certificate(certificate)
    expect(parsed).toMatchObject({ ca: true, subject: 'CN=ca-1', issuer: 'CN=ca-1' })
    expect(parsed.verify(caKeys.publicKey)).toBe(true)
    // digitalSignature, keyEncipherment, keyCertSign, cRLSign: bits 0, 2, 5, 6 of a BIT STRING, critical.
    const usage = extensionOf(certificate, id_ce_keyUsage)
    expect(usage?.critical).toBe(true)
    expect(Buffer.from(usage?.extnValue.buffer ?? new ArrayBuffer()).toString('hex')).toBe('030201a6')
  })

  test('a server certificate has its names and is signed by the CA', async () => {
    const issuer = await newCa()
    const pem = await issueCertificate(
      requestOf({
        organization: ['o1', 'o2'],
        dnsNames: ['a.b', 'c'],
        ipAddresses: ['10.0.0.1', 'fd00::1'],
        issuer,
      }),
    )
    const parsed = new X509Certificate(pem)
    expect(parsed).toMatchObject({
      ca: false,
      subject: 'O=o1\nO=o2\nCN=server',
      issuer: 'CN=ca-1',
      subjectAltName: 'DNS:a.b, DNS:c, IP Address:10.0.0.1, IP Address:FD00:0:0:0:0:0:0:1',
      keyUsage: ['1.3.6.1.5.5.7.3.1'],
    })
    expect(parsed.checkIssued(new X509Certificate(issuer.certificate))).toBe(true)
    expect(parsed.verify(caKeys.publicKey)).toBe(true)
    const usage = extensionOf(pem, id_ce_keyUsage)
    expect(Buffer.from(usage?.extnValue.buffer ?? new ArrayBuffer()).toString('hex')).toBe('030205a0')
  })

  test.each([
    ['server', ['1.3.6.1.5.5.7.3.1']],
    ['client', ['1.3.6.1.5.5.7.3.2']],
    ['both', ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']],
  ] as const)('for a %s has the matching extended key usage', async (kind, keyUsage) => {
    const pem = await issueCertificate(requestOf({ kind, issuer: await newCa() }))
    expect(new X509Certificate(pem).keyUsage).toEqual(keyUsage)
  })

  test('has a unique serial number of 16 bytes', async () => {
    const issuer = await newCa()
    const numbers = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const pem = await issueCertificate(requestOf({ issuer }))
        return new X509Certificate(pem).serialNumber
      }),
    )
    expect(new Set(numbers).size).toBe(20)
    expect(numbers.filter(number => !/^[4-7][0-9A-F]{31}$/.test(number))).toEqual([])
  })

  test('has a validity in whole seconds', async () => {
    const notBefore = Date.parse('2026-01-01T10:00:00Z')
    const notAfter = Date.parse('2061-02-03T11:22:33Z')
    const pem = await issueCertificate(requestOf({ kind: 'ca', notBefore, notAfter }))
    expect(certificateFacts(pem)).toEqual({ notBefore, notAfter })
  })

  test('by the CA of another program has its issuer name byte for byte', async () => {
    const made = await generate([{ name: 'commonName', value: 'ca-of-others' }], {
      algorithm: 'sha256',
      extensions: [{ name: 'basicConstraints', cA: true, critical: true }],
    } as Parameters<typeof generate>[1])
    const pem = await issueCertificate(requestOf({ issuer: { certificate: made.cert, key: made.private } }))
    const [own, theirs] = [pem, made.cert].map(
      text => AsnConvert.parse(new X509Certificate(text).raw, Certificate).tbsCertificate,
    )
    const der = (value: unknown) => Buffer.from(AsnConvert.serialize(value)).toString('hex')
    expect(der(own?.issuer)).toBe(der(theirs?.subject))
    expect(new X509Certificate(pem).checkIssued(new X509Certificate(made.cert))).toBe(true)
    expect(new X509Certificate(pem).verify(new X509Certificate(made.cert).publicKey)).toBe(true)
  })

  test('identifies the signing keys by the key identifier of the CA', async () => {
    const pem = await issueCertificate(requestOf({ issuer: await newCa() }))
    expect(extensionOf(pem, id_ce_authorityKeyIdentifier)).toBeDefined()
    expect(extensionOf((await newCa()).certificate, id_ce_authorityKeyIdentifier)).toBeUndefined()
  })

  test('serves TLS to a client that trusts only the CA', async () => {
    const issuer = await newCa()
    const cert = await issueCertificate(requestOf({ dnsNames: ['service.ns.svc'], issuer }))
    const tls = createServer({ cert, key: pemOf(serverKeys) }, socket => socket.end())
    tls.listen(0, '127.0.0.1')
    await once(tls, 'listening')
    try {
      const address = tls.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      const client = connect({
        host: '127.0.0.1',
        port,
        servername: 'service.ns.svc',
        ca: issuer.certificate,
      })
      await once(client, 'secureConnect')
      expect(client.authorized).toBe(true)
      client.destroy()
    } finally {
      tls.close()
    }
  })
})

describe('keys', () => {
  test('are RSA of 3072 bits, created without blocking the process', async () => {
    let others = 0
    let ended = false
    const countOthers = (): void => {
      others++
      if (!ended) setImmediate(countOthers)
    }
    setImmediate(countOthers)
    const { privateKey } = await createKeyPair()
    ended = true
    expect(privateKey.asymmetricKeyDetails).toMatchObject({ modulusLength: 3072 })
    expect(others).toBeGreaterThan(10)
  })

  test('match the certificate created from them', async () => {
    const { certificate, key } = await newCa()
    expect(keysMatch(certificate, key)).toBe(true)
    expect(keysMatch(certificate, pemOf(serverKeys))).toBe(false)
    expect(keysMatch(certificate, 'no key')).toBe(false)
    expect(keysMatch('no certificate', key)).toBe(false)
  })
})

test('text without a certificate has no facts', () => {
  expect(certificateFacts('')).toBeUndefined()
  expect(certificateFacts('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')).toBeUndefined()
})
