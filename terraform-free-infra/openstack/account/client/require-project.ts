import { configurationProblem } from '../../../../shared/contract/errors.ts'
import type { Secret } from '../../../../shared/lifecycle/lifecycle.ts'
import type { OpenStackAccess } from './access.ts'

/** The key in a state of the id of the project. The Go extension ignores it. */
export const projectKey = 'Project'

/** Returns the id of the project in the state of a BackupBucket. Undefined: none is recorded. */
export const recordedProject = (object: object | undefined): string | undefined => {
  const recorded: unknown = Object(Object(Object(object).status).state)[projectKey]
  return typeof recorded === 'string' ? recorded : undefined
}

/**
 * Returns the id of the project of these credentials. Throws a `CodedError` if the state records another one: there,
 * nothing would be found, so a reconcile would create everything again, and a deletion would succeed.
 */
export const requireProject = async (
  { projectId }: Pick<OpenStackAccess, 'projectId'>,
  {
    what,
    recorded,
    secret,
  }: {
    /** The noun with its article: `the bastion`. */
    readonly what: string
    /** Undefined: no project is recorded yet. */
    readonly recorded: string | undefined
    readonly secret: Pick<Secret, 'namespace' | 'name'> | undefined
  },
): Promise<string> => {
  const project = await projectId()
  if (recorded === undefined || recorded === project) return project
  const whose = secret === undefined ? '' : ` in the Secret ${secret.namespace}/${secret.name}`
  throw configurationProblem(
    `${what} was created in the project ${recorded}, but the credentials${whose} are of the project ${project}. Use credentials of the former project`,
  )
}
