import { join } from 'node:path'
import { preparedState } from '../openstack/cloud/prepared-state.ts'
import { type PythonPrograms, pythonWith } from './python-programs.ts'

export interface OpenStackPrograms extends PythonPrograms {
  /** A folder with databases of all servers, from which each suite starts with a copy. */
  readonly state: string
}

/**
 * Returns an interpreter with the servers of OpenStack, in the versions of `openstack/python/requirements.txt`: about
 * 640 MB, and some minutes. `pip` builds those that are published only as source.
 */
export const openstackPrograms = async (environment: NodeJS.ProcessEnv): Promise<OpenStackPrograms> => {
  const { python } = await pythonWith(environment, {
    name: 'openstack',
    said: 'the servers of OpenStack',
    requirements: join(import.meta.dirname, '..', 'openstack', 'python', 'requirements.txt'),
    pip: [],
  })
  return { python, state: await preparedState(environment, python) }
}
