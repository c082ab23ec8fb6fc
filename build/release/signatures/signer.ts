import { copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Cosign } from './cosign.ts'

/** Signs what is in a registry, and files. */
export interface Signer {
  /** Signs images and charts, by references with digests. */
  readonly sign: (references: readonly string[]) => Promise<void>
  /** Attaches a CycloneDX document to an image and signs both. */
  readonly attestSbom: (reference: string, file: string) => Promise<void>
  /** Signs a file. Writes the signature into `<file>.sigstore.json`. */
  readonly signFile: (file: string) => Promise<void>
  /** The arguments of `cosign verify` for these signatures. */
  readonly verifyArgs: readonly string[]
  /** Removes the private key. */
  readonly close: () => Promise<void>
}

interface SignerOptions {
  /** The folder of the private key. */
  readonly work: string
  /** The folder of the public key. */
  readonly out: string
  readonly plainHttp: boolean
}

/** Without these, cosign would publish each signature in Sigstore's log. */
const withoutLog = ['--use-signing-config=false', '--tlog-upload=false']

/** Signs with a key pair of this run, whose public key is `cosign.pub`. Contacts only the registry. */
export const keySigner = async (cosign: Cosign, { work, out, plainHttp }: SignerOptions): Promise<Signer> => {
  const key = join(work, 'cosign.key')
  await Promise.all([key, join(work, 'cosign.pub')].map(file => rm(file, { force: true })))
  await cosign('generate-key-pair', '--output-key-prefix', join(work, 'cosign'))
  await copyFile(join(work, 'cosign.pub'), join(out, 'cosign.pub'))
  return {
    ...signerWith(cosign, ['--key', key, ...withoutLog], plainHttp),
    verifyArgs: ['--key', 'cosign.pub', '--insecure-ignore-tlog=true'],
    close: () => rm(key),
  }
}

/**
 * Signs as the workflow that runs this: cosign exchanges its OIDC token for a certificate and writes each signature
 * into Sigstore's log (https://docs.sigstore.dev/cosign/signing/overview/).
 */
export const keylessSigner = (
  cosign: Cosign,
  { plainHttp }: Pick<SignerOptions, 'plainHttp'>,
  environment: NodeJS.ProcessEnv,
): Signer => {
  const { GITHUB_WORKFLOW_REF, GITHUB_SERVER_URL, ACTIONS_ID_TOKEN_REQUEST_URL } = environment
  if (!(GITHUB_WORKFLOW_REF && GITHUB_SERVER_URL && ACTIONS_ID_TOKEN_REQUEST_URL))
    throw new Error(
      '--sign keyless needs the identity of a GitHub workflow with the permission id-token: write. Use --sign key elsewhere',
    )
  return {
    ...signerWith(cosign, ['--yes'], plainHttp),
    verifyArgs: [
      ...['--certificate-identity', `${GITHUB_SERVER_URL}/${GITHUB_WORKFLOW_REF}`],
      ...['--certificate-oidc-issuer', 'https://token.actions.githubusercontent.com'],
    ],
    close: async () => {},
  }
}

const signerWith = (cosign: Cosign, how: readonly string[], plainHttp: boolean) => {
  const registry = plainHttp ? ['--allow-http-registry'] : []
  return {
    sign: async (references: readonly string[]) => {
      await cosign('sign', ...how, ...registry, ...references)
    },
    attestSbom: async (reference: string, file: string) => {
      await cosign('attest', ...how, ...registry, '--type', 'cyclonedx', '--predicate', file, reference)
    },
    signFile: async (file: string) => {
      await cosign('sign-blob', ...how, '--bundle', `${file}.sigstore.json`, file)
    },
  }
}
