import {
  type CredentialsRules,
  type DnsRules,
  judgeCredentials,
} from '../../../../shared/webhooks/garden/garden.ts'
import { secretErrors } from './secret-errors.ts'

/** Credentials of a project, in a Secret or an InternalSecret. */
export const openstackCredentials: CredentialsRules = { secretErrors: secret => secretErrors(secret) }

/** The credentials of Designate. */
export const designateCredentials: DnsRules = {
  type: 'openstack-designate',
  expected: 'a Secret',
  acceptsSecretName: true,
  judge: async (reference, lookup) =>
    reference.apiVersion === 'v1' && reference.kind === 'Secret'
      ? judgeCredentials(reference, lookup, {
          secretErrors: secret => secretErrors(secret, { isForDns: true }),
        })
      : { kind: 'wrong', errors: ['expected a v1 Secret'] },
}
