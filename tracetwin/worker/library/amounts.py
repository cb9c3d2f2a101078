"""Code for the twin of `decimal`: finite numbers as ints of one unit, in the place of texts of digits.

The module compares and rounds the digits of numbers as texts, and asks for the lengths of these texts in each
operation. On ints the same are linear conditions, with borders, and few of them. Numbers whose exponents
lie far apart, which would be long as ints of one unit, go the module's own way.
"""

from __future__ import annotations

from typing import Final

FAR: Final = b"""
_FAR = 50

def _usual(exp, context):
    return context.Etiny() + context.prec <= exp <= context.Etop()
"""
"""Exponents that make a number neither subnormal nor too large, whatever its digits within the precision."""

DIFFERENCE: Final = b"""    def _difference(self, other):
        if self._is_special or other._is_special or abs(self._exp - other._exp) > _FAR:
            return self._cmp(other)
        unit = min(self._exp, other._exp)
        left = int(self._int) * 10 ** (self._exp - unit)
        right = int(other._int) * 10 ** (other._exp - unit)
        return (-left if self._sign else left) - (-right if other._sign else right)

    def _cmp(self, other):
"""
"""What is compared with 0, in the place of what `_cmp` finds."""

REPRESENTABLE: Final = b"""    def _fix(self, context):
        if not self._is_special and _usual(self._exp, context) and int(self._int) < 10 ** context.prec:
            return Decimal(self)
"""
"""A number with few enough digits is its own result."""

ROUNDED: Final = b"""        if exp - self._exp <= _FAR:
            unit = 10 ** (exp - self._exp)
            whole, rest = divmod(int(self._int), unit)
            if _moves_away(rounding, self._sign, whole, rest, unit):
                whole += 1
            return _dec_from_triple(self._sign, str(whole), exp)
        # too many digits; round and lose data.\
"""

MOVES_AWAY: Final = b"""
def _moves_away(rounding, sign, whole, rest, unit):
    if rounding == ROUND_DOWN:
        return False
    if rounding == ROUND_HALF_UP:
        return 2 * rest >= unit
    if rounding == ROUND_HALF_EVEN:
        return 2 * rest > unit or 2 * rest == unit and whole % 2 == 1
    if rounding == ROUND_HALF_DOWN:
        return 2 * rest > unit
    if rounding == ROUND_UP:
        return rest > 0
    if rounding == ROUND_CEILING:
        return not sign and rest > 0
    if rounding == ROUND_FLOOR:
        return bool(sign) and rest > 0
    if rounding == ROUND_05UP:
        return rest > 0 and whole % 5 == 0
    raise KeyError(rounding)
"""
"""Whether a number is rounded away from zero."""

QUANTIZED: Final = b"""        if abs(self._exp - exp._exp) <= _FAR and _usual(exp._exp, context):
            ans = self._rescale(exp._exp, rounding)
            if int(ans._int) < 10 ** context.prec:
                if ans._exp > self._exp:
                    if ans != self:
                        context._raise_error(Inexact)
                    context._raise_error(Rounded)
                return ans
        self_adjusted = self.adjusted()
        if self_adjusted > context.Emax:"""

PADDED: Final = b"str(int(self._int) * 10 ** (self._exp - exp)), exp)"

DIVIDED: Final = b"""            left, right = int(self._int), int(other._int)
            for more in range(_PLACES):
                if left * 10 ** more % right == 0:
                    ans = _dec_from_triple(
                        sign, str(left * 10 ** more // right), self._exp - other._exp - more)
                    if int(ans._int) < 10 ** context.prec:
                        return ans._fix(context)
                    break
            # OK, so neither = 0, INF or NaN
"""
"""A quotient with a few places more, which most are, is found without asking for each place in turn."""

TRUNCATED: Final = b"""            if -self._exp <= _FAR:
                return s * (int(self._int) // 10 ** -self._exp)
            return s*int(self._int[:self._exp] or '0')"""

ALIGNED: Final = b"""    Done during addition.
    \"\"\"
    if abs(op1.exp - op2.exp) <= _FAR:
        low = min(op1.exp, op2.exp)
        for op in (op1, op2):
            op.int *= 10 ** (op.exp - low)
            op.exp = low
        return op1, op2
"""

ADDED: Final = FAR + b"_PLACES = 7\n" + MOVES_AWAY
