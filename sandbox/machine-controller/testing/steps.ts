/** The steps of machines in the machine-controller-manager v0.62.1, with its AWS driver v0.28.0. */

export const pending = 'Pending | Create | Processing | Creating machine on cloud provider'
const running = 'Running | Create | Successful | Machine M successfully joined the cluster'
export const made = [pending, running]

const deletion = (text: string) => `Terminating | Delete | Processing | ${text}`
const began = deletion('Set machine status to termination. Now, getting VM Status')
const drains = deletion('Initiate node drain')
const terminated = deletion('VM deletion was successful. Initiate node object deletion')
const nodeDeleted = deletion(
  'Deletion of Node Object "N" is successful. Initiate machine object finalizer removal',
)
const nodeMissing = deletion(
  'No node object found for "N", continuing deletion flow. Initiate machine object finalizer removal',
)

export const drained = [
  began,
  drains,
  deletion('Drain successful. Initiate VM deletion'),
  terminated,
  nodeDeleted,
  'GONE',
]

export const forced = [
  began,
  drains,
  deletion('Force Drain successful. Delete Volume Attachments'),
  deletion('Node Volumes for node: N are already detached. Moving to VM Deletion. Initiate VM deletion'),
  terminated,
  nodeDeleted,
  'GONE',
]

/** A machine without a Node. */
export const nodeless = [
  began,
  drains,
  deletion('Drain successful. Initiate VM deletion'),
  terminated,
  nodeMissing,
  'GONE',
]

/** A machine that never had an instance. */
export const neverMade = [
  began,
  deletion('VM was not found at provider. Moving forward to node drain. Initiate node drain'),
  deletion('Skipping drain as nodeName is not a valid one for machine. Initiate VM deletion'),
  terminated,
  deletion(
    'Label "node" not present on machine "M", continuing deletion flow. Initiate machine object finalizer removal',
  ),
  'GONE',
]

const driverText = (code: string, text: string) => `machine codes error: code = [${code}] message = [${text}]`

/** The step of a refused machine with the error of its cloud. */
export const notMade = (code: string, text: string) =>
  `CrashLoopBackOff | Create | Failed | ${code} | Cloud provider message - ${driverText(code, text)}`

export const refused = (action: string, status: number, error: string) =>
  `operation error EC2: ${action}, https response error StatusCode: ${status}, RequestID: …, api error ${error}`

export const gaveUp = (action: string, status: number, error: string) =>
  `operation error EC2: ${action}, exceeded maximum number of attempts, 3, https response error StatusCode: ${status}, RequestID: …, api error ${error}`

export const notDeleted = (error: string) =>
  `Terminating | Delete | Failed | VM deletion failed due to - ${driverText('Internal', gaveUp('TerminateInstances', 500, error))}. Aborting operation. Initiate VM deletion`

export const unhealthy =
  'Unknown | HealthCheck | Processing | Machine M is unhealthy - changing MachinePhase to Unknown. Node conditions: …'

export const unhealthyFor = (time: string) =>
  `Failed | HealthCheck | Failed | Machine M health checks failing since last ${time} minutes. Updating machine phase to Failed. Node conditions: …`

export const notJoinedIn = (time: string) =>
  `Failed | Create | Failed | Machine M failed to join the cluster in ${time} minutes.`

export const stale = 'Failed | Create | Failed | VM using old node obj'
