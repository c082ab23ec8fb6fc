import { hasReadNothing } from '../checked-seed.ts'
import { type DoctorCheck, ok, warning } from '../diagnosis.ts'

/** The minor versions of Kubernetes in the tests and in Gardener's seeds (docs/support.md#versions). */
const oldestMinor = 30

/**
 * Checks the first answer of the API server. A server that does not answer, or refuses the credentials, ends the
 * command earlier.
 */
export const serverChecks: readonly DoctorCheck[] = [
  {
    area: 'API server',
    about: 'version of the API server',
    needs: [],
    run: seed => {
      const { version } = seed.server
      if (hasReadNothing(seed))
        return [
          {
            state: 'skipped',
            text: `it answers and runs Kubernetes ${version}, but no list could be read, so nothing is known of the seed`,
            advice:
              'check the server and the user of the kubeconfig: kubectl auth whoami; docs/operations.md#trellis-doctor has a ClusterRole',
          },
        ]
      const minor = Number(/^v1\.(\d+)/.exec(version)?.[1])
      if (minor >= oldestMinor) return [ok(`it answers and runs Kubernetes ${version}`)]
      return [
        warning(
          `it runs Kubernetes ${version}, with which Trellis was not tested`,
          `upgrade the cluster to v1.${oldestMinor} or newer; docs/support.md#versions lists the tested versions`,
        ),
      ]
    },
  },
]
