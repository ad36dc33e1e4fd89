import type { Alert, Condition } from './rules.ts';

const HEAD = `# Rules for Prometheus: name this file under rule_files. Written by \`npx vitest run tests/unit/alerts.test.ts -u\`.
groups:
  - name: flightline
    interval: 15s
    rules:
`;

export function toYaml(alerts: Alert[]): string {
  return HEAD + alerts.map(toRule).join('');
}

function toRule({ name, severity, when, means, remedy }: Alert): string {
  return `      - alert: ${name}
        expr: ${JSON.stringify(when.map(toExpression).join(' and on (instance) '))}
        labels: { severity: ${severity} }
        annotations:
          summary: ${JSON.stringify(means)}
          description: ${JSON.stringify(remedy)}
`;
}

function toExpression({ metric, labels = {}, over = 'now', is, value }: Condition): string {
  const matchers = Object.entries(labels).map(([name, wanted]) => `${name}=${JSON.stringify(wanted)}`);
  const series = matchers.length > 0 ? `${metric}{${matchers.join(',')}}` : metric;
  if (over === 'now') return `${series} ${is} ${value}`;
  const window = over === 'increase' ? 'increase' : 'min_over_time';
  return `${window}(${series}[1m]) ${is} ${value}`;
}
