import { type Alert, type RuleScope, selector } from './alert.ts'

const logs =
  '`kubectl logs -l app=bridge` in the namespace of the installation: one line says which dependency is missing and which setting selects it.'
const waiting =
  'List the waiting objects and their reasons: `trellis bridge --dump` with a kubeconfig of the seed, or `kubectl exec` into the pod and `kill -USR2 1`, which prints them into the log.'

/** Alerts for the process that dispatches all work. */
export const bridgeAlerts = (scope: RuleScope): readonly Alert[] => {
  const ours = selector(scope)
  return [
    {
      name: 'TrellisBridgeDown',
      severity: 'critical',
      expr: `absent(${ours('trellis_bridge_ready')})`,
      for: '5m',
      summary: 'Prometheus scrapes no bridge of Trellis.',
      meaning:
        'No requested operation starts, and gardenlet considers extensions dead. Running steps continue; nothing is lost.',
      steps: [
        '`kubectl get pods -l app=bridge`: do the pods exist and run? If not, `kubectl describe` shows the reason: image, quota, node, a missing SinkBinding.',
        'If they run: does Prometheus reach them? The ServiceMonitor selects the Service `bridge`; its annotations open the NetworkPolicies.',
        logs,
      ],
    },
    {
      name: 'TrellisBridgeShardMissing',
      severity: 'critical',
      // Shards know their number. A missing one has no series, so the others have to reveal it.
      expr: `max(${ours('trellis_bridge_shards')}) - count(max by (shard) (${ours('trellis_bridge_ready')})) > 0`,
      for: '5m',
      summary: 'A shard of Trellis has no bridge.',
      meaning:
        'No requested operation of its objects starts; other shards continue. Without shard 0, no heartbeat is renewed, and gardenlet considers extensions dead.',
      steps: [
        '`max by (shard) (trellis_bridge_ready)` lists the existing shards, from 0. The missing number is the shard.',
        'Its Deployment: do its pods exist and run? If not, `kubectl describe` shows the reason: image, quota, node, a missing SinkBinding.',
        'After a change of the number of shards: do all bridges have the same `TRELLIS_SHARDS`? A leftover bridge with a greater number also causes this alert.',
        'If they run: does the Service `bridge` select them, and does Prometheus reach them?',
      ],
    },
    {
      name: 'TrellisBridgeNotReady',
      severity: 'critical',
      expr: `max by (shard) (${ours('trellis_bridge_ready')}) == 0`,
      for: '10m',
      summary: 'No bridge of Trellis has listed all objects of shard {{ $labels.shard }}.',
      meaning: 'It sends events only for a part of the objects.',
      steps: [
        logs,
        "A refused resource: does the bridge's ClusterRole contain it? Apply the manifests of the same release again.",
        'A missing CRD: does the version of Gardener have the kind?',
      ],
    },
    {
      name: 'TrellisBridgeNoLeader',
      severity: 'critical',
      expr: `sum by (shard) (${ours('trellis_bridge_leader')}) == 0`,
      for: '2m',
      summary: 'No bridge of Trellis holds the Lease of shard {{ $labels.shard }}.',
      meaning: 'Bridges run, but none sends. A bridge without shards has shard 0.',
      steps: [
        '`kubectl get lease trellis-bridge -o yaml`: who holds it, and when was it renewed?',
        'If the holder no longer exists, another bridge takes over within 15 s. Otherwise: may the account update the Lease (`kubectl auth can-i`)? Does TRELLIS_LEASE_NAME match the Role?',
        logs,
      ],
    },
    {
      name: 'TrellisSinkDown',
      severity: 'critical',
      // A bridge that starts while the Broker is down has no series for accepted events.
      expr: `sum(increase(${ours('trellis_bridge_retried_total')}[5m])) > 0 unless sum(increase(${ours('trellis_bridge_accepted_total')}[5m])) > 0`,
      for: '5m',
      summary: 'The Broker does not accept events of Trellis.',
      meaning:
        'No requested operation starts. The bridge retries, and sends all events when the Broker is back.',
      steps: [
        '`kubectl get broker`: is it ready? Its conditions show the problem.',
        logs,
        '401 or 403: does an EventPolicy allow the account of the bridge, and does the token have the audience of the Broker?',
      ],
    },
    {
      name: 'TrellisEventsRefused',
      severity: 'warning',
      expr: `max by (kind) (${ours('trellis_bridge_parked')}) > 0`,
      for: '15m',
      summary: 'Events for {{ $labels.kind }} are refused.',
      meaning: 'The bridge retries them less and less often, in the end once per hour.',
      steps: [
        '`kubectl get events -A --field-selector reason=NotSent` lists the objects and the reasons.',
        'An object without `spec.type`: its creator must set it. A refusal by the Broker: its logs show its size limit.',
      ],
    },
    {
      name: 'TrellisEventsUnclaimed',
      severity: 'warning',
      expr: `max by (kind) (${ours('trellis_bridge_unclaimed')}) > 0`,
      for: '15m',
      summary: 'No function claims objects of kind {{ $labels.kind }}.',
      meaning: 'They are not reconciled.',
      steps: [
        '`kubectl get events -A --field-selector reason=NotClaimed` lists the objects, and suggests a type if one is similar.',
        '`kubectl get trigger,ksvc`: do they exist for the kind and type, and are they ready?',
        'A function that cannot start: `kubectl get pods`, image, quota; one line of its log names a wrong setting.',
      ],
    },
    {
      name: 'TrellisEventsLate',
      severity: 'warning',
      expr: `max by (kind) (${ours('trellis_bridge_oldest_waiting_seconds')}) > 300`,
      for: '5m',
      summary: 'Events for {{ $labels.kind }} have waited for more than five minutes.',
      meaning: 'Requested operations start late.',
      steps: [waiting, 'Is the Broker slow? See the panel of its answers in the dashboard of the bridge.'],
    },
    {
      name: 'TrellisWatchesFail',
      severity: 'warning',
      expr: `sum by (resource) (increase(${ours('trellis_bridge_watch_restarts_total', 'reason="failed"')}[10m])) > 5`,
      for: '10m',
      summary: 'The watch of {{ $labels.resource }} fails repeatedly.',
      meaning: 'Changes are seen late, or not until the watch works again.',
      steps: [
        logs,
        '403: does the ClusterRole of the bridge contain the resource? Otherwise check the API server.',
      ],
    },
    {
      name: 'TrellisHeartbeatLate',
      severity: 'critical',
      // gardenlet reads no heartbeat of an extension without a namespace in the seed.
      expr: `sum by (extension) (increase(${ours('trellis_bridge_heartbeats_total')}[5m])) == 0 and on (extension) max by (extension) (${ours('trellis_bridge_heartbeat_expected')}) == 1`,
      for: '2m',
      summary: 'The heartbeat of {{ $labels.extension }} is not renewed.',
      meaning:
        'gardenlet considers the reports of the extension outdated, and conditions of shoots become unknown.',
      steps: [
        'The log of the bridge: `no function answers health checks` names the types of the extension without an answer: see [TrellisEventsUnclaimed](#trelliseventsunclaimed). `heartbeat failed` shows the answer of the API server.',
        'Do the types in `TRELLIS_EXTENSIONS` match the ControllerRegistration, and does `TRELLIS_SERVED` contain them?',
      ],
    },
    {
      name: 'TrellisProcessDies',
      severity: 'warning',
      // A new start time in the same pod means that the container ended. A new release creates new pods.
      expr: `sum by (pod, container) (changes(${ours('process_start_time_seconds', 'container=~"bridge|webhook"')}[30m])) > 0`,
      for: '1m',
      summary: 'The container {{ $labels.container }} of {{ $labels.pod }} restarted.',
      meaning:
        'The other replica takes over. Each restart costs the seconds of a takeover, and both replicas may fail for the same reason.',
      steps: [
        '`kubectl describe pod`: the exit code of the last state. 134: V8 ran out of memory (`--max-old-space-size` in `NODE_OPTIONS`). 137: the kernel killed it at its memory limit, or the liveness probe failed. 1: it threw an error.',
        '`kubectl logs --previous` shows its last lines.',
        'Memory: how many objects does it watch (see the dashboard of the bridge)? Increase the limits in the values of the chart (`bridge.resources`, `bridge.env`), or report the problem with the log.',
      ],
    },
    {
      name: 'TrellisBridgeBusy',
      severity: 'warning',
      expr: `max(${ours('nodejs_eventloop_lag_p99_seconds', 'container="bridge"')}) > 0.5`,
      for: '15m',
      summary: 'The bridge reacts slowly.',
      meaning: 'Events are sent late, and the bridge may lose its Lease.',
      steps: [
        'Does it have enough CPU time? Check its request and those of its neighbours on the node.',
        'How many objects does it watch (see the dashboard of the bridge)? With more than 50,000, distribute the load: [several bridges](bridge.md#several-bridges).',
      ],
    },
  ]
}
