/** German. Placeholders and brackets: see `../sentence.ts`. */
import type { FaultName } from '../../errors/catalog.ts';

export const de: Readonly<Record<FaultName, string>> = {
  'credentials-missing': 'Es fehlen Anmeldedaten. Senden Sie ein Bearer-Token im Header Authorization.',
  'credentials-invalid':
    'Die Anmeldedaten sind ungültig oder abgelaufen. Senden Sie ein gültiges Bearer-Token.',
  'access-denied':
    'Diese Anmeldedaten erlauben den Vorgang nicht. Verwenden Sie andere oder bitten Sie den Betreiber um Zugriff.',
  'thread-of-another-caller':
    'Dieser Thread steht diesem Aufrufer nicht offen. Verwenden Sie die Anmeldedaten und die userId der ersten Anfrage oder eine andere threadId.',
  'thread-in-another-workspace':
    'Dieser Thread ist an einen anderen Arbeitsordner gebunden. Senden Sie das cwd der ersten Anfrage oder beginnen Sie einen neuen Thread.',

  'media-type-unsupported':
    'Der Medientyp des Anfrageinhalts wird nicht unterstützt[: „{given}“]. Senden Sie application/json.',
  'accept-unsupported':
    'Die Antwort gibt es nur als text/event-stream. Lassen Sie diesen Typ im Header Accept zu.',
  'body-too-large': 'Der Anfrageinhalt ist zu groß. Verkleinern Sie ihn[ auf höchstens {limit} Byte].',
  'body-stalled': 'Der Anfrageinhalt kam nicht vollständig an. Senden Sie die Anfrage erneut.',
  'head-too-large': 'Die Header der Anfrage sind zu groß. Senden Sie weniger oder kürzere.',
  'head-malformed': 'Das ist keine lesbare HTTP-Anfrage. Prüfen Sie den Client.',
  'body-empty': 'Der Anfrageinhalt ist leer. Senden Sie ein JSON-Objekt.',
  'body-not-utf8': 'Der Anfrageinhalt ist kein UTF-8-Text. Kodieren Sie das JSON als UTF-8.',
  'body-not-json': 'Der Anfrageinhalt ist kein gültiges JSON. Berichtigen Sie ihn und senden Sie ihn erneut.',
  'body-too-deep':
    'Das JSON der Anfrage ist zu tief verschachtelt. Verwenden Sie weniger Ebenen[, höchstens {limit}].',
  'body-forbidden-key':
    'Der Anfrageinhalt enthält einen unzulässigen Feldnamen[: „{key}“]. Entfernen Sie dieses Feld.',
  'body-not-an-object': 'Der Anfrageinhalt muss ein JSON-Objekt sein. Senden Sie ein Objekt.',
  'path-unknown': 'Unter dieser Adresse gibt es nichts. Prüfen Sie den Pfad.',
  'upgrade-required': 'Diese Adresse spricht nur WebSocket. Fordern Sie den Wechsel (Upgrade) an.',
  'method-not-allowed':
    'Diese Adresse nimmt diese Methode nicht an. Verwenden Sie eine erlaubte[: {allowed}].',

  'envelope-invalid':
    'Die Eingabe für den Lauf ist ungültig[ bei {where}][: „{problem}“]. Berichtigen Sie sie und senden Sie sie erneut.',
  'protocol-version-unsupported':
    'Die Version des AG-UI-Protokolls wird nicht unterstützt[: „{given}“]. Senden Sie eine unterstützte protocolVersion[: {supported}].',
  'session-header-invalid':
    'Die Sitzungs-ID ist ungültig. Senden Sie 33 bis 256 Zeichen: Buchstaben, Ziffern, - und _, beginnend mit einem Buchstaben oder einer Ziffer.',
  'session-header-missing':
    'Die Sitzungs-ID fehlt. Senden Sie sie im Header X-Amzn-Bedrock-AgentCore-Runtime-Session-Id.',
  'control-unknown': 'Diese Steuernachricht ist unbekannt[: „{given}“]. Senden Sie cancel, attach oder ping.',
  'extension-missing':
    'forwardedProps.iacCode ist hier erforderlich. Senden Sie es mit schemaVersion, rosInvocationId und cwd.',
  'extension-invalid':
    'forwardedProps.iacCode ist ungültig[ bei {where}][: „{problem}“]. Berichtigen Sie es und senden Sie die Anfrage erneut.',
  'workspace-not-absolute':
    'Der Arbeitsordner in cwd ist kein absoluter Pfad. Senden Sie den vollständigen Pfad eines Ordners.',
  'workspace-invalid':
    'Der Arbeitsordner in cwd ist kein brauchbarer Pfad. Senden Sie den Pfad eines vorhandenen oder neuen Ordners.',
  'workspace-outside-roots':
    'Der Arbeitsordner in cwd liegt außerhalb der erlaubten Ordner. Wählen Sie einen darin oder bitten Sie den Betreiber, ihn freizugeben.',
  'workspace-not-a-directory': 'Der Arbeitsordner in cwd ist kein Ordner. Senden Sie den Pfad eines Ordners.',
  'workspace-not-created':
    'Der Arbeitsordner konnte nicht angelegt werden. Wählen Sie einen anderen oder bitten Sie den Betreiber, Rechte und freien Platz zu prüfen.',
  'tools-unsupported':
    'Der Agent kann keine Werkzeuge des Clients verwenden. Senden Sie eine leere Liste tools.',
  'message-missing':
    'Es gibt keine Nutzernachricht, die beantwortet werden könnte. Fügen Sie eine Nachricht mit der Rolle user hinzu.',
  'content-unsupported':
    'Die Nachricht enthält einen nicht unterstützten Inhaltstyp[: {type}]. Senden Sie nur Text oder eingebettete Bilder.',
  'media-remote':
    'Medien werden nicht von einer Adresse geladen. Senden Sie das Bild eingebettet als Base64-Daten.',
  'media-type-not-an-image':
    'Der Medientyp eines Anhangs wird nicht unterstützt[: „{given}“]. Senden Sie ein Bild als PNG, JPEG, GIF oder WebP.',
  'media-not-base64':
    'Die Daten eines Bildes sind kein gültiges Base64. Kodieren Sie sie mit Füllzeichen und ohne Leerzeichen.',
  'media-too-large': 'Ein Bild ist zu groß. Verkleinern Sie es[ auf höchstens {limit} Byte].',
  'media-too-large-together':
    'Die Bilder der Nachricht sind zusammen zu groß. Senden Sie weniger oder kleinere[, insgesamt höchstens {limit} Byte].',
  'media-undecodable':
    'Ein Bild konnte nicht gelesen werden. Prüfen Sie, ob die Datei unbeschädigt ist und zu ihrem Medientyp passt.',

  'thread-busy':
    'Der Thread bearbeitet bereits eine Anfrage. Warten Sie deren Ende ab und versuchen Sie es erneut.',
  'run-id-used':
    'Diese Anfrage wurde mit dieser runId schon gesendet. Verwenden Sie für einen neuen Lauf eine neue runId.',
  'run-id-conflict':
    'Diese runId wurde schon für eine andere Anfrage verwendet. Verwenden Sie eine neue runId.',
  'resume-required':
    'Der Thread wartet auf Antworten zu offenen Unterbrechungen. Beantworten Sie diese in resume, bevor Sie eine neue Nachricht senden.',
  'resume-incomplete':
    'Nicht jede offene Unterbrechung ist beantwortet[ (es fehlen: {missing})]. Beantworten Sie jede genau einmal.',
  'resume-duplicate-entry': 'Eine Unterbrechung ist mehrfach beantwortet. Beantworten Sie jede genau einmal.',
  'interrupt-unknown':
    'Eine Antwort nennt eine Unterbrechung, die dieser Thread nicht kennt[: „{id}“]. Beantworten Sie nur offene.',
  'payload-missing':
    'Einer Antwort mit resolved fehlt das payload. Ergänzen Sie es passend zum responseSchema der Unterbrechung.',
  'payload-invalid':
    'Das payload einer Antwort passt nicht zu ihrem responseSchema[ bei {where}][: „{problem}“]. Berichtigen Sie es und senden Sie es mit einer neuen runId.',
  'payload-empty':
    'Das payload enthält keine Antwort. Füllen Sie es aus und senden Sie es mit einer neuen runId.',
  'resume-already-applied':
    'Diese Antwort wurde schon angenommen und wird nicht noch einmal ausgeführt. Senden Sie eine neue Nachricht, um fortzufahren.',
  'execution-expired':
    'Die Unterbrechung ist abgelaufen und kann nicht mehr beantwortet werden. Senden Sie eine neue Nachricht, um neu zu beginnen.',
  'execution-lost':
    'Es gibt keine Ausführung mehr, die fortgesetzt werden könnte. Senden Sie eine neue Nachricht, um neu zu beginnen.',
  'execution-mismatch':
    'Die Antwort gehört nicht zur unterbrochenen Ausführung. Senden Sie die rosInvocationId des unterbrochenen Laufs.',
  'session-not-restorable':
    'Die Sitzung des Agenten konnte nicht wiederhergestellt werden. Senden Sie eine neue Nachricht, um neu zu beginnen.',
  'execution-not-found':
    'Diese Ausführung ist nicht bekannt. Prüfen Sie executionId, threadId und rosInvocationId.',
  'run-not-found':
    'Dieser Lauf ist nicht bekannt oder wird nicht mehr vorgehalten. Prüfen Sie threadId und runId.',

  'too-many-requests':
    'Zu viele Anfragen in kurzer Zeit. Warten Sie[ {seconds} s], bevor Sie es erneut versuchen.',
  'too-many-runs':
    'Die Höchstzahl gleichzeitiger Läufe ist erreicht[ ({limit})]. Versuchen Sie es erneut, wenn ein Lauf beendet ist.',
  'too-many-sockets':
    'Die Höchstzahl offener Verbindungen ist erreicht[ ({limit})]. Schließen Sie eine oder versuchen Sie es später erneut.',
  'too-many-sessions':
    'Die Höchstzahl der Sitzungen ist erreicht[ ({limit})]. Verwenden Sie eine bestehende oder versuchen Sie es später erneut.',
  'too-many-threads':
    'Die Höchstzahl der Threads ist erreicht[ ({limit})]. Verwenden Sie einen bestehenden oder versuchen Sie es später erneut.',
  'thread-too-large':
    'Dieser Thread ist größer geworden, als gespeichert werden kann. Beginnen Sie einen neuen Thread.',

  'kernel-unavailable': 'Der Agent ist gerade nicht erreichbar. Versuchen Sie es gleich noch einmal.',
  'kernel-refused':
    'Der Agent hat die Anfrage nicht angenommen. Versuchen Sie es später erneut; hält es an, verständigen Sie den Betreiber.',
  'kernel-protocol':
    'Der Agent hat eine unverständliche Antwort gegeben. Verständigen Sie bitte den Betreiber.',
  'kernel-identity-changed':
    'Der Agent hat für eine andere Aufgabe oder Sitzung geantwortet; der Lauf wurde angehalten. Senden Sie eine neue Nachricht, um neu zu beginnen.',
  'kernel-version':
    'Der Agent spricht eine nicht unterstützte Version von A2A[ (angeboten: {offered}, benötigt: {needed})]. Bitten Sie den Betreiber, ihn zu aktualisieren.',
  'task-failed': 'Der Agent konnte die Aufgabe nicht abschließen. Versuchen Sie es mit einem neuen Lauf.',
  'task-rejected':
    'Der Agent hat die Aufgabe abgelehnt. Ändern Sie die Anfrage und versuchen Sie es mit einem neuen Lauf.',
  'task-needs-authentication':
    'Der Agent braucht eine Anmeldung, die er nicht hat. Bitten Sie den Betreiber, sie einzurichten.',
  'task-unfinished':
    'Der Agent hat vor dem Ende der Aufgabe aufgehört. Versuchen Sie es mit einem neuen Lauf.',
  'task-interrupted-by-restart':
    'Der Dienst wurde während dieses Laufs neu gestartet. Prüfen Sie, was schon getan ist, und starten Sie dann einen neuen Lauf.',
  'run-deadline':
    'Der Lauf wurde beendet, weil er länger als erlaubt dauerte. Versuchen Sie es mit einer kleineren Aufgabe.',
  'stream-deadline':
    'Die Zeit dieses Datenstroms ist um, der Lauf geht aber weiter. Verbinden Sie sich erneut mit ihm, um weiterzulesen.',
  'cancel-failed':
    'Der Agent hat den Abbruch nicht bestätigt und arbeitet womöglich weiter. Versuchen Sie den Abbruch erneut.',
  'state-not-saved':
    'Der Stand des Laufs konnte nicht gespeichert werden; der Lauf wurde angehalten. Versuchen Sie es später erneut.',
  cancelled: 'Der Lauf wurde abgebrochen. Senden Sie eine neue Nachricht, um fortzufahren.',
  'server-stopping-run':
    'Der Dienst wird beendet und hat diesen Lauf geschlossen. Starten Sie gleich einen neuen Lauf.',
  'reader-too-slow':
    'Die Ereignisse wurden zu langsam gelesen; die Verbindung wurde beendet. Verbinden Sie sich neu und lesen Sie schneller.',

  'state-unreadable':
    'Der gespeicherte Stand dieses Threads ist nicht lesbar. Versuchen Sie es später erneut oder beginnen Sie einen neuen Thread.',
  'state-not-writable':
    'Der Stand dieses Threads lässt sich gerade nicht speichern. Versuchen Sie es später erneut.',
  'identity-unavailable':
    'Die Anmeldedaten lassen sich im Moment nicht prüfen. Versuchen Sie es gleich noch einmal.',
  'server-starting': 'Der Dienst startet noch. Versuchen Sie es gleich noch einmal.',
  'server-draining':
    'Der Dienst wird beendet und nimmt keine neuen Anfragen an. Versuchen Sie es gleich noch einmal.',
  internal:
    'Im Dienst ist etwas schiefgegangen. Versuchen Sie es erneut; hält es an, verständigen Sie den Betreiber.',
};
