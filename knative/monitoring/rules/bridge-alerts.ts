import { type Alert, type RuleScope, selector } from './alert.ts'

const waiting =
  '`trellis status` with a kubeconfig of the seed lists the failing and waiting objects and their reasons. `kill -USR2 1` in the pod logs them.'

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
        'Do its pods run (`kubectl get pods -l app=bridge`)? If not, `kubectl describe` shows the reason: image, quota, node, or SinkBinding.',
        'If they run: does Prometheus reach them? A ServiceMonitor selects the Service `bridge`, whose annotations open the NetworkPolicies.',
      ],
    },
    {
      name: 'TrellisBridgeNotReady',
      severity: 'critical',
      expr: `max(${ours('trellis_bridge_ready')}) == 0`,
      for: '10m',
      summary: 'No bridge of Trellis has listed all objects.',
      meaning: 'It sends events only for some objects.',
      steps: [
        "If a resource is refused: apply the manifests of the same release again, which contain the bridge's ClusterRole.",
        'If a CRD is missing: does this version of Gardener have the kind?',
      ],
    },
    {
      name: 'TrellisBridgeNoLeader',
      severity: 'critical',
      expr: `sum(${ours('trellis_bridge_leader')}) == 0`,
      for: '2m',
      summary: 'No bridge of Trellis holds the Lease.',
      meaning: 'Bridges run, but none sends.',
      steps: [
        '`kubectl get lease trellis-bridge -o yaml` shows the holder and the last renewal.',
        'If the holder is gone, another bridge takes over within 15 s. Otherwise: may the account update the Lease (`kubectl auth can-i`)? Does `TRELLIS_LEASE_NAME` match the Role?',
      ],
    },
    {
      name: 'TrellisSinkDown',
      severity: 'critical',
      // A bridge that starts while the Broker is down has no series for accepted events.
      expr: `sum(increase(${ours('trellis_bridge_retried_total')}[5m])) > 0 unless sum(increase(${ours('trellis_bridge_accepted_total')}[5m])) > 0`,
      for: '5m',
      summary: 'The Broker does not accept events of Trellis.',
      meaning: 'No requested operation starts. The bridge retries until the Broker is back.',
      steps: [
        '`kubectl get broker`: if it is not ready, its conditions show why.',
        'The log of the bridge names the `trouble`: see [what to do](bridge.md#when-the-broker-refuses).',
      ],
    },
    {
      name: 'TrellisEventsRefused',
      severity: 'warning',
      expr: `max by (kind) (${ours('trellis_bridge_parked')}) > 0`,
      for: '15m',
      summary: 'Events for {{ $labels.kind }} are refused.',
      meaning: 'The bridge retries them, at last once per hour.',
      steps: [
        '`kubectl get events -A --field-selector reason=NotSent` lists the objects and the reasons.',
        'Without `spec.type`: its creator must set it. Refused by the Broker: its log shows the size limit.',
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
        '`kubectl get events -A --field-selector reason=NotClaimed` lists the objects, and suggests a similar type.',
        '`kubectl get events -A --field-selector reason=NotDelivered` lists those whose events the broker gave up, and why.',
        '`kubectl get trigger,ksvc`: are those of the kind and type ready?',
        'If a function does not start: `kubectl describe pod` and its log show the reason.',
      ],
    },
    {
      name: 'TrellisEventsLate',
      severity: 'warning',
      expr: `max by (kind) (${ours('trellis_bridge_oldest_waiting_seconds')}) > 300`,
      for: '5m',
      summary: 'Events for {{ $labels.kind }} have waited for more than five minutes.',
      meaning: 'Requested operations start late.',
      steps: [waiting, 'Is the Broker slow? See its answers in the dashboard of the bridge.'],
    },
    {
      name: 'TrellisWatchesFail',
      severity: 'warning',
      expr: `sum by (resource) (increase(${ours('trellis_bridge_watch_restarts_total', 'reason="failed"')}[10m])) > 5`,
      for: '10m',
      summary: 'The watch of {{ $labels.resource }} fails repeatedly.',
      meaning: 'The bridge sees changes late, or only when the watch works again.',
      steps: ['403: apply the manifests of the same release again. Otherwise check the API server.'],
    },
    {
      name: 'TrellisHeartbeatLate',
      severity: 'critical',
      // gardenlet reads no heartbeat of an extension without a namespace in the seed.
      expr: `sum by (extension) (increase(${ours('trellis_bridge_heartbeats_total')}[5m])) == 0 and on (extension) max by (extension) (${ours('trellis_bridge_heartbeat_expected')}) == 1`,
      for: '2m',
      summary: 'The heartbeat of {{ $labels.extension }} is not renewed.',
      meaning: 'gardenlet ignores the conditions of the extension, and those of shoots become unknown.',
      steps: [
        'In the log of the bridge, `heartbeat stopped` names the types and the reason. If no function answers health checks, see [TrellisEventsUnclaimed](#trelliseventsunclaimed). `heartbeat failed` shows the answer of the API server.',
        'Do the types in `TRELLIS_EXTENSIONS` match the ControllerRegistration? Are they in `TRELLIS_SERVED`?',
      ],
    },
    {
      name: 'TrellisProcessDies',
      severity: 'warning',
      // A new start time in the same pod means that the container ended. A new release creates new pods.
      expr: `sum by (pod, container) (changes(${ours('process_start_time_seconds', 'container=~"bridge|webhook"')}[30m])) > 0`,
      for: '1m',
      summary: 'The container {{ $labels.container }} of {{ $labels.pod }} restarted.',
      meaning: 'The other replica takes over within seconds, but may fail for the same reason.',
      steps: [
        '`kubectl logs --previous` shows the last lines, `kubectl describe pod` the exit code. 134: V8 reached `--max-old-space-size` of `NODE_OPTIONS`. 137: the kernel killed it at its memory limit, or the liveness probe failed. 1: an error.',
        'If memory is short, increase `bridge.resources` and `bridge.env` of the chart.',
      ],
    },
    {
      name: 'TrellisBridgeBusy',
      severity: 'warning',
      expr: `max(${ours('nodejs_eventloop_lag_p99_seconds', 'container="bridge"')}) > 0.5`,
      for: '15m',
      summary: 'The bridge reacts slowly.',
      meaning: 'It sends events late, and may lose its Lease.',
      steps: [
        'Does it get enough CPU time? Check its request and the load of the node.',
        'With more than 50,000 objects (see the dashboard of the bridge), run [several bridges](bridge.md#several-bridges).',
      ],
    },
  ]
}
