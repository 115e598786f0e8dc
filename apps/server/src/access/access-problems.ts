import type { ProblemDefinition } from '../foundation/problem.ts';

export const permissionEscalation: ProblemDefinition = {
  code: 'permission_escalation',
  kind: 'forbidden',
  title: 'More than you may give',
  explanation:
    'Whoever gives a permission must hold it. `errors` names each pair of action and resource that you would give and do not hold. Leave those out, or ask someone who holds them.',
};
