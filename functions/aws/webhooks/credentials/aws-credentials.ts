import type { CredentialsRules } from '../../../../shared/webhooks/garden/garden.ts'
import { secretErrors } from './secret-errors.ts'
import { judgeIdentity } from './validate-workload-identity.ts'

/** Credentials of AWS: a Secret with an access key, or a WorkloadIdentity with a role. */
export const awsCredentials: CredentialsRules = {
  secretErrors,
  identityErrors: (identity, name) => {
    const outcome = judgeIdentity(identity)
    switch (outcome.kind) {
      case 'usable':
        return []
      case 'missing':
        return ['the target system is missing configuration']
      case 'undecodable':
        return [`target system's configuration is not valid: ${outcome.message}`]
      case 'wrong':
        return [`referenced workload identity ${name} is not valid: ${outcome.errors.join(', ')}`]
    }
  },
}
