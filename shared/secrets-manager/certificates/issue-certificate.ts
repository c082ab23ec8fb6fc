import {
  createHash,
  createPrivateKey,
  type KeyObject,
  type KeyPairKeyObjectResult,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto'
import { promisify } from 'node:util'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  GeneralName,
  id_ce_authorityKeyIdentifier,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_subjectAltName,
  id_ce_subjectKeyIdentifier,
  id_kp_clientAuth,
  id_kp_serverAuth,
  KeyUsage,
  KeyUsageFlags,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectKeyIdentifier,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509'
import type { Timestamp } from '../../clock/clock.ts'

/** The purpose of a certificate. `both`: server and client. */
export type CertificateKind = 'ca' | 'server' | 'client' | 'both'

export interface CertificateRequest {
  readonly kind: CertificateKind
  readonly commonName: string
  readonly organization: readonly string[]
  readonly dnsNames: readonly string[]
  readonly ipAddresses: readonly string[]
  readonly notBefore: Timestamp
  readonly notAfter: Timestamp
  readonly keys: KeyPairKeyObjectResult
  /** The signer, as PEM. Absent: self-signed. `key` is secret. */
  readonly issuer?: { readonly certificate: string; readonly key: string }
}

/** PKCS #1: RSA with SHA-256. */
const sha256WithRsa = '1.2.840.113549.1.1.11'
const commonNameType = '2.5.4.3'
const organizationType = '2.5.4.10'

const usages: Readonly<Record<CertificateKind, readonly string[]>> = {
  ca: [],
  server: [id_kp_serverAuth],
  client: [id_kp_clientAuth],
  both: [id_kp_serverAuth, id_kp_clientAuth],
}

/** Creates a certificate and returns it as PEM. The thread pool computes the signature. */
export const issueCertificate = async (request: CertificateRequest): Promise<string> => {
  const { keys, issuer } = request
  const signer = issuer && AsnConvert.parse(new X509Certificate(issuer.certificate).raw, Certificate)
  const subject = nameOf(request)
  const signature = new AlgorithmIdentifier({ algorithm: sha256WithRsa, parameters: null })
  const unsigned = new TBSCertificate({
    version: Version.v3,
    serialNumber: serialNumber(),
    signature,
    issuer: signer?.tbsCertificate.subject ?? subject,
    validity: new Validity({
      notBefore: new Date(request.notBefore),
      notAfter: new Date(request.notAfter),
    }),
    subject,
    subjectPublicKeyInfo: publicKeyInfo(keys.publicKey),
    extensions: new Extensions([...extensionsOf(request), ...identifiers(request, signer)]),
  })
  const key = issuer === undefined ? keys.privateKey : createPrivateKey(issuer.key)
  const signatureValue = await promisify(sign)('sha256', Buffer.from(AsnConvert.serialize(unsigned)), key)
  const certificate = new Certificate({
    tbsCertificate: unsigned,
    signatureAlgorithm: signature,
    signatureValue: new Uint8Array(signatureValue).buffer,
  })
  return new X509Certificate(Buffer.from(AsnConvert.serialize(certificate))).toString()
}

const nameOf = ({ commonName, organization }: CertificateRequest): Name =>
  new Name(
    [
      ...organization.map(value => [organizationType, value] as const),
      [commonNameType, commonName] as const,
    ].map(
      ([type, utf8String]) =>
        new RelativeDistinguishedName([
          new AttributeTypeAndValue({ type, value: new AttributeValue({ utf8String }) }),
        ]),
    ),
  )

/** 126 random bits: positive, and in the shortest encoding. */
const serialNumber = (): ArrayBuffer => {
  const bytes = new Uint8Array(randomBytes(16))
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40
  return bytes.buffer
}

const publicKeyInfo = (key: KeyObject): SubjectPublicKeyInfo =>
  AsnConvert.parse(key.export({ type: 'spki', format: 'der' }), SubjectPublicKeyInfo)

const extension = (extnID: string, value: unknown, critical = false): Extension =>
  new Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) })

const extensionsOf = ({ kind, dnsNames, ipAddresses }: CertificateRequest): readonly Extension[] => {
  const isCa = kind === 'ca'
  const usage = KeyUsageFlags.digitalSignature | KeyUsageFlags.keyEncipherment
  const names = [
    ...dnsNames.map(dNSName => new GeneralName({ dNSName })),
    ...ipAddresses.map(iPAddress => new GeneralName({ iPAddress })),
  ]
  return [
    extension(
      id_ce_keyUsage,
      new KeyUsage(isCa ? usage | KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign : usage),
      true,
    ),
    extension(id_ce_basicConstraints, new BasicConstraints({ cA: isCa }), true),
    ...(isCa ? [] : [extension(id_ce_extKeyUsage, new ExtendedKeyUsage([...usages[kind]]))]),
    ...(names.length === 0 ? [] : [extension(id_ce_subjectAltName, new SubjectAlternativeName(names))]),
  ]
}

/**
 * Key identifiers, which select a chain among CAs of the same name: that of the CA's own keys, and that of the signing
 * keys.
 */
const identifiers = (
  { kind, keys }: CertificateRequest,
  signer: Certificate | undefined,
): readonly Extension[] => [
  ...(kind === 'ca' ? [extension(id_ce_subjectKeyIdentifier, keyIdentifier(keys.publicKey))] : []),
  ...(signer?.tbsCertificate.extensions ?? [])
    .filter(({ extnID }) => extnID === id_ce_subjectKeyIdentifier)
    .map(({ extnValue }) =>
      extension(
        id_ce_authorityKeyIdentifier,
        new AuthorityKeyIdentifier({ keyIdentifier: AsnConvert.parse(extnValue, SubjectKeyIdentifier) }),
      ),
    ),
]

/** 160 bits of SHA-256 of the key (RFC 7093, method 1). */
const keyIdentifier = (key: KeyObject): SubjectKeyIdentifier => {
  const { subjectPublicKey } = publicKeyInfo(key)
  const digest = createHash('sha256').update(new Uint8Array(subjectPublicKey)).digest()
  return new SubjectKeyIdentifier(new Uint8Array(digest.subarray(0, 20)))
}
