/** '2026-01-02 08:00', in UTC. */
export function utcMinuteText(moment: Date): string {
  return moment.toISOString().slice(0, 16).replace('T', ' ')
}
