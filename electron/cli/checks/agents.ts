/** Checks the agents that Spillway is connected to, and whether the recorder of their commands is installed. */
import type { ClientState } from '../../../shared/clients.ts';
import { clientStates } from '../../connect/connect.ts';
import { placeOf } from '../connect.ts';
import type { Services } from '../services.ts';
import { type Check, ok, warn } from './check.ts';

export function checkAgents(services: Services): Check[] {
  const clients = clientStates(placeOf(services)).filter(({ state }) => state !== 'not connected');
  if (clients.length === 0) return [ok('agents', 'none is connected (spillway connect)')];
  return clients.map(checkAgent);
}

function checkAgent({ client, name, state, record, not_recordable }: ClientState): Check {
  const option = record === null ? '' : record === 'preview' ? ' --record=preview' : ' --record';
  if (state === 'outdated')
    return warn('agents', `${name} is not connected as it was`, `spillway connect ${client}${option}`);
  const commands =
    record === null
      ? not_recordable === null
        ? 'its commands are not recorded'
        : `its commands are not recorded: ${not_recordable}`
      : record === 'preview'
        ? 'its commands are recorded, long output reaches it as a preview'
        : 'its commands are recorded';
  return ok('agents', `${name} is connected; ${commands}`);
}
