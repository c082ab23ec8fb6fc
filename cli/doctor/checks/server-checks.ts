import { type DoctorCheck, ok, warning } from '../diagnosis.ts'

/** The minor versions of Kubernetes in the tests and in Gardener's seeds (docs/operations.md#versions). */
const oldestMinor = 30

/**
 * Checks the first answer of the API server. A server that does not answer, or refuses the credentials, ends the
 * command earlier.
 */
export const serverChecks: readonly DoctorCheck[] = [
  {
    area: 'API server',
    about: 'which version it is',
    needs: [],
    run: ({ server: { version } }) => {
      const minor = Number(/^v1\.(\d+)/.exec(version)?.[1])
      if (minor >= oldestMinor) return [ok(`it answers, and is Kubernetes ${version}`)]
      return [
        warning(
          `it is Kubernetes ${version}, which nothing here was tried on`,
          `upgrade the cluster to v1.${oldestMinor} or newer; docs/operations.md#versions has the tested ones`,
        ),
      ]
    },
  },
]
