"""Sends mail over a transport like that of smtplib; nothing is annotated."""


class MailError(Exception):
    pass


class Message:
    def __init__(self, sender, to, subject, body=""):
        self.sender = sender
        self.to = list(to)
        self.subject = subject
        self.body = body


class Mailer:
    def __init__(self, transport, sender="noreply@example.org", dry_run=False):
        self.transport = transport
        self.sender = sender
        self.dry_run = dry_run
        self.sent = []
        self.failed = {}

    def send(self, to, subject, body):
        if isinstance(to, str):
            to = [part.strip() for part in to.split(",")]
        recipients = [address for address in to if "@" in address]
        if not recipients:
            raise MailError("nobody to send to")
        if "\n" in subject:
            raise MailError("header injection")
        message = Message(self.sender, recipients, subject, body)
        if self.dry_run:
            return message
        try:
            refused = self.transport.sendmail(message.sender, message.to, message.body)
        except ConnectionError:
            self.transport.connect()
            refused = self.transport.sendmail(message.sender, message.to, message.body)
        if refused:
            self.failed.update(refused)
            if len(refused) == len(recipients):
                raise MailError("all refused")
        self.sent.append(message)
        return message


def deliver(queue, transport, limit=3):
    """Deliver what is in a queue; an empty queue raises LookupError."""
    delivered = 0
    while delivered < limit:
        try:
            message = queue.pop()
        except LookupError:
            break
        if message is None:
            continue
        code = transport.deliver(message)
        if code >= 500:
            queue.reject(message)
        elif code >= 400:
            queue.push(message)
            return -delivered
        else:
            delivered += 1
    return delivered
